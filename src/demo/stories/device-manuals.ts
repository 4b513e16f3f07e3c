// The stories of the device manuals: the tide gauge, and the wave buoy.
import { type Story, text } from "#src/demo/story.ts";

export const tideGauge: Story = [
  {
    by: "tomas",
    at: [15, "9:00"],
    edit: "Mounting the bracket",
    does: [
      {
        reuse: "power",
        title: "Before you open the case",
        text: "> **Switch off the power.** There are 12 volts on the terminals.\n",
      },
      {
        add: {
          name: "mounting",
          title: "Mounting",
          emoji: "🔩",
          text: text`
            You need two people, a drill with a 10 mm bit for concrete, and low water.

            1. Hold the bracket to the wall, one metre above high water, and mark the holes.
            2. Drill four holes, 80 mm deep, and blow out the dust.
            3. Screw the bracket on. It must not move when you lean on it.
            4. Lift the gauge onto the bracket, and close both clamps.
            5. Connect the cable, as [the wiring](page:wiring) tells.
          `,
        },
      },
      {
        add: {
          name: "wiring",
          title: "Wiring",
          text: text`
            {{ reusable:power }}

            | Wire  | Goes to |
            | ----- | ------- |
            | Red   | +12 V   |
            | Black | Ground  |
            | Blue  | Data    |
          `,
        },
      },
    ],
  },
  {
    by: "elif",
    at: [33, "9:00"],
    edit: "Cleaning and storage",
    does: [
      {
        add: {
          name: "cleaning",
          title: "Cleaning and storage",
          text: text`
            Rinse the gauge with fresh water every three months. Remove mussels with wood or plastic, never with metal.

            Store it dry, without its battery.
          `,
        },
      },
      {
        add: {
          name: "firmware",
          title: "Firmware before 3.0",
          text: text`
            Gauges with firmware before 3.0 tell the level in feet. Update them by the [application](https://download.example.com/harbour/latest).
          `,
        },
      },
    ],
  },
  {
    by: "tomas",
    at: [90, "10:10"],
    change: "Replace the wiring diagram",
    does: [
      {
        update: "wiring",
        text: text`
          {{ reusable:power }}

          | Wire   | Goes to | Terminal |
          | ------ | ------- | -------- |
          | Red    | +12 V   | 1        |
          | Black  | Ground  | 2        |
          | Blue   | Data    | 4        |
          | Yellow | Alarm   | 5        |

          Terminal 3 stays free.
        `,
      },
    ],
    now: { merged: [92, "15:55"], by: "priya" },
  },
  {
    by: "elif",
    at: [210, "9:20"],
    change: "Battery life in cold water",
    does: [
      {
        add: {
          name: "battery",
          title: "Battery",
          text: text`
            At 20 °C the battery lasts for a year. Below 5 °C count with eight months.
          `,
        },
        after: "cleaning",
      },
    ],
    now: "draft",
  },
  {
    by: "tomas",
    at: [214, "16:45"],
    change: "Old firmware: move to an appendix",
    does: [{ add: { name: "appendix", title: "Appendix", type: "group" } }, { move: "firmware", to: "appendix" }],
    now: "archived",
  },
  {
    by: "elif",
    at: [241, "9:35"],
    change: "Table of spare parts",
    does: [
      {
        add: {
          name: "spare-parts",
          title: "Spare parts",
          text: text`
            Order by number from your dealer.

            | Part    | Number | For           |
            | ------- | ------ | ------------- |
            | Clamp   | 4410   | all           |
            | Bracket | 4402   | all           |
            | Cable   | 4431   | firmware 3.0  |
          `,
        },
        after: "cleaning",
      },
    ],
    edited: {
      at: [242, "10:02"],
      does: [
        {
          update: "spare-parts",
          text: text`
            Order by number from your dealer.

            | Part    | Number | For           |
            | ------- | ------ | ------------- |
            | Bracket | 4402   | all           |
            | Clamp   | 4410   | all           |
            | Cable   | 4431   | firmware 3.0  |
          `,
        },
      ],
    },
    now: "open",
  },
];

export const waveBuoy: Story = [
  {
    by: "priya",
    at: [35, "9:00"],
    edit: "First edition",
    does: [
      {
        add: {
          name: "overview",
          title: "Overview",
          emoji: "🛟",
          text: text`
            The buoy measures the height, the period and the direction of waves, and sends them every half an hour.

            - [Put it out](page:deploying) in calm weather.
            - [Moor it](page:mooring) as long as the water is deep, and half as long again.
          `,
        },
      },
      {
        add: {
          name: "deploying",
          title: "Putting it out",
          pages: [
            {
              name: "mooring",
              title: "Mooring",
              text: text`
                Use a rope of 14 mm with a swivel at both ends.

                | Depth | Rope | Anchor |
                | ----- | ---- | ------ |
                | 10 m  | 15 m | 40 kg  |
                | 20 m  | 30 m | 60 kg  |
                | 40 m  | 60 m | 90 kg  |
              `,
            },
          ],
          text: text`
            Two people lower the buoy from the side of the boat, the anchor first.

            > Keep your feet off the rope.
          `,
        },
      },
    ],
  },
  {
    by: "ines",
    at: [226, "10:40"],
    change: "Mooring in strong currents",
    does: [
      {
        update: "mooring",
        append: text`
          ## Strong currents

          From 2 knots on, take the anchor of the next row. From 3 knots on, add 5 m of chain.
        `,
      },
    ],
    edited: {
      at: [232, "18:30"],
      does: [
        {
          add: {
            name: "trials",
            title: "Trials",
            text: text`
              In May three buoys lay in the sound for two weeks, at up to 3.4 knots. The one without chain moved by 40 m.
            `,
          },
        },
        { update: "mooring", replace: ["add 5 m of chain.", "add 5 m of chain (see [the trials](page:trials))."] },
      ],
    },
    now: "open",
  },
];
