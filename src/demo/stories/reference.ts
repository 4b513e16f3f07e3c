// The stories of the reference: the API, and the error codes.
import { type Story, text } from "#src/demo/story.ts";

export const apiReference: Story = [
  {
    by: "jonas",
    at: [18, "9:00"],
    edit: "Reading and writing measurements",
    does: [
      { variables: { host: "api.harbour.example.com" } },
      {
        add: {
          name: "introduction",
          title: "Introduction",
          icon: "book-open",
          text: text`
            All that the application does, you can do by this interface. It speaks JSON over HTTPS.

            Send your key with every request:

            ~~~http
            GET /v1/stations HTTP/1.1
            Host: api.harbour.example.com
            Authorization: Bearer your-key
            ~~~
          `,
        },
      },
      {
        add: {
          name: "measurements",
          title: "Measurements",
          type: "group",
          pages: [
            {
              name: "reading",
              title: "Reading measurements",
              text: text`
                \`GET /v1/stations/{station}/measurements\` answers the latest measurements first.

                | Parameter  | Meaning                     |
                | ---------- | --------------------------- |
                | \`quantity\` | \`level\`, \`temperature\` or \`pressure\` |
                | \`from\`     | no earlier ones             |
                | \`to\`       | no later ones               |
              `,
            },
            {
              name: "writing",
              title: "Writing measurements",
              text: text`
                \`POST /v1/stations/{station}/measurements\` takes a list of at most 500. Those that are there already are left alone.

                See [reading](page:reading) for the fields.
              `,
            },
          ],
        },
      },
    ],
  },
  {
    by: "jonas",
    at: [100, "9:00"],
    change: "Document paging and its limits",
    does: [
      {
        add: {
          name: "paging",
          title: "Paging",
          text: text`
            Every list comes in pages.

            - limit: at most 1000, and 50 when it is left out.
            - page: what the answer before had as \`next\`.

            The last page has no \`next\`. A limit above 1000 is refused.
          `,
        },
        after: "introduction",
      },
      { update: "reading", append: "The list is [paged](page:paging).\n" },
    ],
    now: { merged: [104, "13:20"], by: "mara" },
  },
  {
    by: "priya",
    at: [190, "10:00"],
    change: "Examples in three languages",
    does: [
      {
        update: "introduction",
        append: text`
          ## In three languages

          ~~~sh
          curl -H "Authorization: Bearer $KEY" https://api.harbour.example.com/v1/stations
          ~~~

          ~~~python
          requests.get("https://api.harbour.example.com/v1/stations", headers={"Authorization": f"Bearer {key}"})
          ~~~

          ~~~js
          await fetch("https://api.harbour.example.com/v1/stations", { headers: { authorization: "Bearer " + key } });
          ~~~
        `,
      },
    ],
    updated: [205, "10:00"],
    now: "open",
  },
  {
    by: "jonas",
    at: [206, "9:00"],
    edit: "Version 2 of the measurements endpoint",
    does: [
      {
        update: "reading",
        replace: [
          "`GET /v1/stations/{station}/measurements` answers the latest measurements first.",
          "`GET /v2/measurements?station={station}` answers the latest measurements first. Version 1 stays until the end of the year.",
        ],
      },
    ],
  },
  {
    by: "elif",
    at: [236, "9:50"],
    change: "Errors of version 2",
    does: [
      {
        add: {
          name: "errors",
          title: "Errors",
          text: text`
            | Status | Meaning               |
            | ------ | --------------------- |
            | 400    | the request is wrong  |
            | 404    | there is no such thing |
            | 429    | too many requests     |
          `,
        },
        after: "paging",
      },
    ],
    now: "draft",
  },
];

export const errorCodes: Story = [
  {
    by: "jonas",
    at: [50, "9:00"],
    edit: "Codes E10 to E29",
    does: [
      {
        add: {
          name: "codes",
          title: "All codes",
          text: text`
            ## E10 to E19: installation

            - **E10**: the file is damaged.
            - **E12**: another version is open.

            ## E20 to E29: devices

            - **E20**: the device does not answer.
            - **E21**: the battery is low.
          `,
        },
      },
    ],
  },
  {
    by: "elif",
    at: [52, "9:00"],
    change: "Codes E40 to E49",
    does: [
      {
        update: "codes",
        append: text`
          ## E40 to E49: calibration

          - **E40**: the reference sensor is missing.
          - **E41**: the two sensors differ by more than 2 °C.
        `,
      },
    ],
    now: { merged: [54, "9:30"], by: "priya" },
  },
];
