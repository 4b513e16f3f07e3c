export async function handle(event, context) {
  const port = event.props?.port ?? context.configuration.port ?? "Brest";
  const label = "High water at " + port;
  if (event.type === "fetch") return { status: 200, headers: { "content-type": "text/plain" }, body: label };
  if (event.type !== "ui_render") return null;
  return { type: "element", element: { type: "block", children: [{ type: "text", children: [label] }] } };
}
