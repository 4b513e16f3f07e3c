// The address in e-mails that ends their kind: a page with a button, which programs for e-mail press by themselves
// (RFC 8058). The key in it is enough, since nobody has to sign in for it.
import { DomainError } from "#src/base/errors.ts";
import { endNotices, isNoticeAddress, isNoticeKind, noticeKinds } from "#src/features/users/commands/notices.ts";
import type { Gateway } from "#src/features/feature.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import { htmlPages } from "#src/http/negotiation.ts";
import { readForm } from "#src/http/request-body.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";
import { sendNotice } from "#src/pages/notice.ts";

const maxForm = 1000;

/** Makes the route. */
export const endNoticesRoute = ({ database }: Gateway): HttpRoute => ({
  path: "/emails/",
  methods: ["GET", "HEAD", "POST"],
  answers: htmlPages,
  loggedPath: withoutKey,
  async handle(exchange) {
    const [userId = "", kind = "", key = "", ...more] = exchange.path.split("/").slice(2);
    const address = { userId, kind, key };
    const isPost = exchange.request.method === "POST";
    if (isPost) await readForm(exchange.request, maxForm);
    const isKnown = more.length === 0 && (await (isPost ? endNotices : isNoticeAddress)(database, address));
    if (!isKnown || !isNoticeKind(kind)) throw new DomainError("NOT_FOUND");
    show(exchange, noticeKinds[kind], isPost);
  },
});

function show(exchange: Exchange, kind: string, isEnded: boolean): void {
  if (isEnded)
    return sendNotice(exchange, {
      status: 200,
      title: "You get no more such e-mails",
      body: html`<p>You have ended the e-mails of this kind: ${kind}</p>
        <p class="actions"><a class="button" href="/app/me/emails">All e-mails</a></p>`,
    });
  sendNotice(exchange, {
    status: 200,
    title: "End these e-mails?",
    body: html`<p>E-mails of this kind: ${kind}</p>
      <form method="post"><button>Send me no more of them</button></form>`,
    formsLeadTo: [],
  });
}
