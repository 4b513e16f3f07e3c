// The stories of the community Open Tide.
import { type Story, text } from "#src/demo/story.ts";

export const manual: Story = [
  {
    by: "ravi",
    at: [64, "9:00"],
    edit: "Start of the manual",
    does: [
      {
        add: {
          name: "what",
          title: "What it is",
          text: text`
            Open Tide predicts tides from harmonic constants. It is free, and made by people who sail.

            - [Install it](page:installation)
            - [Predict a tide](page:predicting)
          `,
        },
      },
      {
        add: {
          name: "installation",
          title: "Installation",
          text: text`
            ~~~sh
            git clone https://git.example.com/open-tide/open-tide
            make -C open-tide install
            ~~~
          `,
        },
      },
      {
        add: {
          name: "predicting",
          title: "Predicting a tide",
          text: text`
            ~~~sh
            open-tide predict --port 54.32,10.13 --days 7
            ~~~

            Times are in UTC. Heights are above chart datum.
          `,
        },
      },
    ],
  },
  {
    by: "mara",
    at: [110, "9:00"],
    change: "Installation from packages",
    does: [
      {
        update: "installation",
        append: text`
          ## From packages

          | System | Package     |
          | ------ | ----------- |
          | Debian | \`open-tide\` |
          | Arch   | \`opentide\`  |
        `,
      },
    ],
    now: { merged: [115, "19:10"], by: "ravi" },
  },
  {
    by: "ravi",
    at: [228, "20:00"],
    change: "A chapter on plotting",
    does: [
      {
        add: {
          name: "plotting",
          title: "Plotting",
          text: text`
            ~~~sh
            open-tide predict --port 54.32,10.13 --days 1 --plot tide.svg
            ~~~
          `,
        },
        to: "predicting",
      },
    ],
    now: "open",
  },
];

export const contributing: Story = [
  {
    by: "ravi",
    at: [66, "18:00"],
    edit: "How to help",
    does: [
      {
        add: {
          name: "help",
          title: "How to help",
          emoji: "🌱",
          text: text`
            Tell us what you miss, or open a change request. Small ones are merged within a week.
          `,
        },
      },
    ],
  },
];

export const ideas: Story = [
  {
    by: "june",
    at: [80, "21:00"],
    edit: "Ideas of the first meeting",
    does: [
      {
        add: {
          name: "ideas",
          title: "Ideas",
          text: text`
            1. Currents, not only heights
            2. A watch face
          `,
        },
      },
    ],
  },
];
