// The story of the calibration handbook, which came from paper.
import { type Story, text } from "#src/demo/story.ts";

export const calibration: Story = [
  {
    by: "jonas",
    at: [9, "10:00"],
    edit: "Import of the paper handbook, chapters 1 to 4",
    does: [
      {
        add: {
          name: "why",
          title: "1. Why calibrate",
          text: text`
            Sensors drift: salt, pressure and age change them by up to 0.2 % a year. Calibration compares them with a reference and stores the
            difference.
          `,
        },
      },
      {
        add: {
          name: "reference",
          title: "2. The reference sensor",
          text: text`
            The kit holds a reference sensor with a certificate. Keep it dry, between 5 °C and 40 °C.

            - Never use it in salt water.
            - Never open its case: the certificate ends with the seal.
          `,
        },
      },
      {
        add: {
          name: "temperature",
          title: "3. Temperature",
          pages: [
            {
              name: "ice-point",
              title: "3.1 The ice point",
              text: text`
                1. Fill a bucket with crushed ice and clean water, half of each.
                2. Put both sensors into the middle, and wait for ten minutes.
                3. Press **Compare**. Both have to tell 0.00 °C, give or take 0.02.
              `,
            },
          ],
          text: text`
            Two points are compared: [the ice point](page:ice-point), and a warm bath of 25 °C.
          `,
        },
      },
      {
        add: {
          name: "pressure",
          title: "4. Pressure",
          text: text`
            Pressure is compared in air. Note the value of the nearest weather station, reduced to your height.
          `,
        },
      },
    ],
  },
  {
    by: "priya",
    at: [70, "9:15"],
    change: "Temperature tables in kelvin and Celsius",
    does: [
      {
        update: "temperature",
        append: text`
          | Point     | Celsius  | Kelvin   |
          | --------- | -------- | -------- |
          | Ice       | 0.00 °C  | 273.15 K |
          | Warm bath | 25.00 °C | 298.15 K |
        `,
      },
    ],
    now: { merged: [77, "9:40"], by: "jonas" },
  },
  {
    by: "tomas",
    at: [218, "14:00"],
    change: "Yearly check of the reference sensor",
    does: [
      {
        add: {
          name: "yearly-check",
          title: "Yearly check of the sensor",
          text: text`
            Send the sensor to the laboratory once a year. It comes back with a new certificate within two weeks.

            Until then use [the ice point](page:ice-point) alone.
          `,
        },
        to: "reference",
      },
    ],
    edited: {
      at: [221, "11:11"],
      does: [{ update: "yearly-check", title: "Yearly check of the sensor in the kit" }],
    },
    now: "open",
  },
];
