// A block with properties, a state, and actions: one changes the state, one changes the properties, one ends it.
import { createComponent, createIntegration } from "@gitbook/runtime";

const counter = createComponent({
  componentId: "counter",
  initialState: (props) => ({ count: props.from ?? 0 }),
  action: async (element, action) => {
    if (action.action === "add") return { state: { count: element.state.count + action.by } };
    if (action.action === "@ui.modal.close" || action.action === "end")
      return { type: "complete", returnValue: { count: element.state.count } };
    return { props: { ...element.props, from: element.state.count } };
  },
  render: async (element) => (
    <block controls={[{ label: "Keep", onPress: { action: "keep" } }]}>
      <card title={`Count: ${element.state.count}`} hint={<text>from {String(element.props.from)}</text>}>
        <button label="Add" onPress={{ action: "add", by: 2 }} />
      </card>
      <divider />
      <input label="Name" element={<textinput state="name" />} />
      <codeblock content={element.dynamicState("count")} lineNumbers={false} />
    </block>
  ),
});

export default createIntegration({ components: [counter] });
