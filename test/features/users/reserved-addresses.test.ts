// Addresses of the domain .invalid belong to accounts that docgraph creates itself: no input accepts them
// as the address of a user.
import { expect, test } from "vitest";
import { GraphQLInputObjectType } from "graphql";
import { newId } from "#src/base/ids.ts";
import { checkEmail } from "#src/domain/input.ts";
import { addMember } from "#src/features/members/commands.ts";
import { schema } from "#src/schema.ts";
import { TestIdp } from "#test/features/saml/idp.ts";
import { setProvider, TestBrowser } from "#test/features/saml/sign-in.ts";
import { useApp } from "#test/support/app.ts";
import { contextsOf } from "#test/support/query-executions.ts";

const { app, world } = await useApp();
const installation = newId("IntegrationInstallation");
const addresses = [
  `${installation}@integrations.invalid`,
  `${newId("User")}@saml.invalid`,
  `${newId("User")}@Service.Invalid`,
  "ann@anything.invalid",
];

/** The inputs of mutations that have an e-mail address. */
const inputs = Object.values(schema.getTypeMap()).flatMap((type) =>
  type instanceof GraphQLInputObjectType && "email" in type.getFields() ? [type.name] : [],
);

test("addresses at .invalid are refused in every input of a mutation", async () => {
  const { admin, organization } = await world.organization();
  const mutations: Readonly<Record<string, (email: string) => object>> = {
    createInvitation: (email) => ({ email }),
    createInvitations: (email) => ({ people: [{ email }] }),
  };
  expect(inputs).toEqual(["CreateInvitationInput", "InviteeInput"]); // one for each mutation
  for (const [name, inputOf] of Object.entries(mutations))
    for (const email of addresses) {
      const type = `${name.replace(/^./, (letter) => letter.toUpperCase())}Input`;
      const { errors } = await app
        .as(admin.token)
        .graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`, {
          input: { organizationId: organization.id, ...inputOf(email) },
        });
      expect([name, email, errors?.[0]?.extensions.code]).toEqual([name, email, "INVALID_INPUT"]);
      expect(errors?.[0]?.message).toContain("reserved .invalid");
    }
});

test("addresses at .invalid are refused on the command line and in the sign-in form", async () => {
  const { admin, organization } = await world.organization();
  const context = await contextsOf(app, admin.token);
  for (const email of addresses) {
    await expect(addMember(context(), { organizationId: organization.id, email })).rejects.toThrow(
      "below the reserved .invalid",
    );
    // Of npm run setup and npm run login.
    expect(() => checkEmail("--email", email)).toThrow("below the reserved .invalid");
  }
});

test("addresses at .invalid are refused from a SAML provider, whatever domains its organization has", async () => {
  const idp = new TestIdp();
  const { provider, organization } = await setProvider(world, idp);
  for (const domain of ["integrations.invalid", "saml.invalid", "service.invalid", "anything.invalid"]) {
    const emailDomains = { push: domain };
    await app.database.prisma.organization.update({ where: { id: organization.id }, data: { emailDomains } });
  }
  for (const [index, email] of addresses.entries()) {
    const browser = new TestBrowser();
    const given = { nameId: `person-${index}`, attributes: { email } };
    const answer = idp.answerTo(await browser.start(app.url, provider.id), given);
    expect((await browser.answer(answer.acsURL, idp.signed(answer))).status).toBe(303);
    const where = { nameId: given.nameId };
    const { user } = await app.database.prisma.samlIdentity.findFirstOrThrow({ where, include: { user: true } });
    expect(user.email).toBe(`${user.id}@saml.invalid`);
  }
});
