// The settings of an installation and of a space, drawn and saved by a component.
import { createComponent, createIntegration } from "@gitbook/runtime";

const settings = createComponent({
  componentId: "settings",
  initialState: ({ installation }) => ({ domain: installation?.configuration?.domain ?? "" }),
  action: async (element, action, { api, environment }) => {
    if (action.action !== "save") return element;
    const { name } = environment.integration;
    const { id, configuration } = environment.installation;
    const changed = { ...configuration, domain: element.state.domain };
    await api.integrations.updateIntegrationInstallation(name, id, { configuration: changed });
    const { data } = await api.integrations.getIntegrationInstallationById(name, id);
    const { spaceId } = element.context;
    if (spaceId)
      await api.integrations.updateIntegrationSpaceInstallation(name, id, spaceId, { configuration: { seen: true } });
    return { state: { domain: data.configuration.domain, isSaved: true } };
  },
  render: async ({ state }) => (
    <configuration>
      <input label="Domain" hint={<text>of your account</text>} element={<textinput state="domain" />} />
      <button style="primary" label={state.isSaved ? "Saved" : "Save"} onPress={{ action: "save" }} />
    </configuration>
  ),
});

export default createIntegration({ components: [settings], events: {} });
