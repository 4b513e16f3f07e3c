// Draws links to recordings: the action `@link.unfurl` reads the address, and asks the service for the rest.
import { createComponent, createIntegration, ExposableError } from "@gitbook/runtime";

const recording = createComponent({
  componentId: "recording",
  action: async (element, action) => {
    if (action.action !== "@link.unfurl") return element;
    const id = new URL(action.url).pathname.split("/").at(-1);
    const response = await fetch(`https://recordings.example.com/oembed?id=${encodeURIComponent(id)}`);
    if (!response.ok) throw new ExposableError("The recording does not exist", 404);
    const { title, html } = await response.json();
    return { props: { url: action.url, title, source: /src="([^"]+)"/.exec(html)?.[1] } };
  },
  render: async ({ props, context }, { environment }) => (
    <block>
      {props.source ? (
        <webframe source={{ url: props.source }} aspectRatio={16 / 9} data={{ theme: context.theme }} />
      ) : (
        <card
          title={props.title}
          onPress={{ action: "@ui.url.open", url: props.url }}
          icon={<icon icon="link-external" />}
        />
      )}
      <text>{environment.integration.name}</text>
    </block>
  ),
});

export default createIntegration({ components: [recording] });
