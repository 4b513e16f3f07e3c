// The story of the space "Getting started", which everybody reads first.
import { type Story, text } from "#src/demo/story.ts";

export const gettingStarted: Story = [
  {
    by: "mara",
    at: [6, "9:10"],
    edit: "Outline of the first hour",
    does: [
      { variables: { product: "Harbour Station", support: "support@harbour.example.com" } },
      {
        add: {
          name: "welcome",
          title: "Welcome",
          emoji: "👋",
          description: "What the first hour with your station looks like",
          text: text`
            Thank you for choosing a {{ product }}.

            ## The first hour

            1. [Set up](page:setup) the application and an account.
            2. Take [your first reading](page:first-reading).
            3. Look at it on the web.

            Any questions? Write to {{ support }}.
          `,
        },
      },
      { add: { name: "setup", title: "Set up", icon: "wrench", type: "group" } },
      {
        add: {
          name: "first-reading",
          title: "Your first reading",
          emoji: "📈",
          text: text`
            Before you start, [install the application](page:setup) and switch the device on. It takes up to two minutes until it has found its
            position.

            ## Choose the device

            Open **Devices**, and choose yours by the number on its back. When there are several, hold the button of one for three seconds: its
            light blinks in the application, too.

            ## Choose a quantity

            Water level, temperature and pressure are measured at the same time. Choose the one that is to be shown large.

            ## Read

            Press **Read now**. The value comes with its time, in UTC, and with its uncertainty.
          `,
        },
      },
    ],
  },
  {
    by: "jonas",
    at: [12, "13:40"],
    edit: "Install the desktop application",
    does: [
      {
        add: {
          name: "install",
          title: "Install the application",
          variables: [{ name: "version", value: "4.2" }],
          text: text`
            Download version {{ version }} of the application from https://download.example.com/harbour and open the file.

            | System  | From version | Size   |
            | ------- | ------------ | ------ |
            | Windows | 10           | 84 MB  |
            | macOS   | 13           | 91 MB  |
            | Linux   | kernel 5.10  | 77 MB  |

            On Linux you may also install it from the command line:

            ~~~sh
            curl -LO https://download.example.com/harbour/station.deb
            sudo apt install ./station.deb
            ~~~

            When it is open, sign in, and go on with [your first reading](page:first-reading).
          `,
        },
        to: "setup",
      },
    ],
  },
  {
    by: "tomas",
    at: [20, "9:05"],
    change: "Rewrite the introduction for field crews",
    does: [
      {
        update: "welcome",
        replace: [
          "Thank you for choosing a {{ product }}.",
          "Your {{ product }} measures water level, temperature and pressure. This guide takes you from the box to the first value.",
        ],
      },
    ],
    edited: {
      at: [23, "15:12"],
      does: [
        {
          update: "welcome",
          replace: [
            "Your {{ product }} measures",
            "This guide is for crews who install the device themselves, on a pier or on board. Your {{ product }} measures",
          ],
        },
      ],
    },
    now: { merged: [27, "10:30"], by: "priya" },
  },
  {
    by: "elif",
    at: [41, "11:20"],
    change: "Screenshots of the new setup wizard",
    does: [
      {
        add: {
          name: "wizard",
          title: "The setup wizard",
          text: text`
            The wizard opens when the application finds a device for the first time.

            ![The first step: choose a language](https://assets.example.com/harbour/wizard-language.png)

            ![The second step: connect the device](https://assets.example.com/harbour/wizard-connect-old.png)

            You can leave it at any time. Open it again by **Devices**, **Set up again**.
          `,
        },
        to: "setup",
        after: "install",
      },
    ],
    edited: {
      at: [44, "9:45"],
      does: [{ update: "wizard", replace: ["wizard-connect-old.png", "wizard-connect.png"] }],
    },
    now: { merged: [48, "16:05"], by: "mara" },
  },
  {
    by: "tomas",
    at: [80, "8:50"],
    change: "Explain time zones on the first page",
    does: [
      {
        update: "welcome",
        append: text`
          ## Time zones

          All times are in UTC. Since tides do not care about daylight saving time, neither do we.
        `,
      },
    ],
    now: "archived",
  },
  {
    by: "elif",
    at: [150, "10:00"],
    change: "Shorter quick start: one device, one reading",
    does: [
      {
        update: "first-reading",
        text: text`
          Before you start, [install the application](page:install) and switch the device on.

          ## One device

          Open **Devices**, and choose yours by the number on its back.

          ## One reading

          Press **Read now**. The value comes with its time, in UTC, and with its uncertainty.
        `,
      },
    ],
    edited: {
      at: [155, "14:25"],
      does: [
        {
          update: "first-reading",
          append: text`
            That is all. More quantities and more devices have [a page of their own](page:more).
          `,
        },
        {
          add: {
            name: "more",
            title: "More devices and quantities",
            text: text`
              When there are several devices, hold the button of one for three seconds: its light blinks in the application, too.

              Water level, temperature and pressure are measured at the same time. Choose the one that is to be shown large.
            `,
          },
          to: "first-reading",
        },
      ],
    },
    updated: [201, "9:00"],
    now: { merged: [203, "11:40"], by: "priya" },
  },
  {
    by: "priya",
    at: [188, "12:00"],
    edit: "Correct the download link",
    does: [
      {
        update: "install",
        replace: [
          "https://download.example.com/harbour and open",
          "https://download.example.com/harbour/latest and open",
        ],
      },
    ],
  },
  {
    by: "tomas",
    at: [196, "9:30"],
    change: "Describe offline mode",
    does: [
      {
        add: {
          name: "offline",
          title: "Without a connection",
          icon: "plug-circle-xmark",
          text: text`
            The device stores readings while there is no connection, and sends them when there is one again. You need not do anything.

            Readings that were sent late have a small clock beside them.
          `,
        },
        after: "first-reading",
      },
    ],
    edited: {
      at: [199, "17:02"],
      does: [
        {
          update: "offline",
          append: text`
            ## How much it stores

            | Readings     | Capacity | Battery  |
            | ------------ | -------- | -------- |
            | 1 a minute   | 30 days  | 12 days  |
            | 1 in 10 min  | 300 days | 80 days  |
            | 1 an hour    | 5 years  | 200 days |

            When the store is full, the oldest readings are overwritten.
          `,
        },
      ],
    },
    now: "open",
  },
  {
    by: "elif",
    at: [230, "13:15"],
    change: "Link every step to its error codes",
    does: [
      {
        update: "install",
        append: text`
          ## When it fails

          - **E10**: the file is damaged. Download it again.
          - **E12**: another version is open. Close it first.
        `,
      },
    ],
    edited: {
      at: [238, "10:48"],
      does: [
        {
          update: "first-reading",
          replace: [
            "and with its uncertainty.",
            "and with its uncertainty. No value? See [E20 to E29](https://docs.harbour.example.com/errors#e20).",
          ],
        },
      ],
    },
    updated: [239, "8:55"],
    now: "open",
  },
  {
    by: "jonas",
    at: [244, "15:30"],
    change: "Draft: setup without an account",
    does: [
      {
        add: {
          name: "no-account",
          title: "Set up without an account",
          text: text`
            Not decided yet: which quantities are shown, and for how long.
          `,
        },
        to: "setup",
      },
      { update: "welcome", replace: ["the application and an account", "the application, with or without an account"] },
    ],
    now: "draft",
  },
];
