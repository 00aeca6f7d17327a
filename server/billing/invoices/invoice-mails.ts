import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { InvoiceMail, sendInvoiceEmail as contract } from '#contract/invoices.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findLanguageOfEmails } from '#server/identity/find-user.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { queueNotifications } from '#server/notifications/notification-store.ts'
import type { NotificationKind } from '#server/notifications/notification.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { findPayer } from './billing-settings.ts'
import { invoiceMailTexts } from './invoice-mail-texts.ts'
import { groupDigits } from './taxes.ts'
import { actorOf, findIssued, findSnapshot } from './invoice-store.ts'

type MailRow = Selectable<StateTables['invoice_mail']>

interface OfInvoice {
  region_id: string
  invoice_id: string
}

/** Also the kind of notifications. */
export const invoiceMailKind = 'invoice'
/** Larger files are only linked. */
const maxAttachmentBytes = 10 * 1024 * 1024
const linkDays = 180

/** Signs links to the lines of invoices, so that they can be read without a sign-in until they expire. */
export class InvoiceLinks {
  readonly #key: string
  constructor(box: Pick<SecretBox, 'derive'>) {
    this.#key = box.derive('invoice links')
  }

  #signatureOf(invoiceId: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${invoiceId} ${expires}`).digest('base64url')
  }

  linkOf(invoiceId: string, expires: Date): string {
    const seconds = String(Math.floor(expires.getTime() / 1000))
    return `/v2/public/invoices/${invoiceId}?expires=${seconds}&signature=${this.#signatureOf(invoiceId, seconds)}`
  }

  /** Throws unless the link was signed here and has not expired. */
  check(invoiceId: string, { expires, signature }: { expires: string; signature: string }, at: Date): void {
    const own = Buffer.from(this.#signatureOf(invoiceId, expires))
    const given = Buffer.from(signature)
    if (own.length !== given.length || !timingSafeEqual(own, given))
      throw new Problem('forbidden', 'This link is not valid. Request a new one.')
    if (at.getTime() >= Number(expires) * 1000) throw new Problem('gone', 'This link has expired.')
  }
}

export const readMail = (row: MailRow): InvoiceMail => ({
  mail_id: row.mail_id,
  is_manual: row.is_manual,
  state: row.state as InvoiceMail['state'],
  recipients: row.recipients,
  cc: row.cc,
  problem: row.problem,
  requested_by: row.requested_by,
  requested_time: row.requested_time.toISOString(),
  sent_time: row.sent_time?.toISOString() ?? null,
  note: row.note,
})

const newMail = (viewer: Viewer, { region_id, invoice_id }: OfInvoice, at: Date) => ({
  region_id,
  invoice_id,
  requested_by: actorOf(viewer),
  requested_time: at,
})

/** Requests a mail with an issued invoice. One that was requested with the same key is returned as it is. */
export async function sendInvoice(
  state: State,
  viewer: Viewer,
  body: z.output<(typeof contract)['request']['body']>,
  headerKey: string | null,
  at: Date,
): Promise<InvoiceMail> {
  const { scope } = viewer
  await findRegion(state, scope, body.region_id)
  const store = state.as(scope)
  const invoice = await findIssued(store, scope, body)
  const given = body.idempotency_key ?? headerKey
  const earlier = await store
    .selectFrom('invoice_mail')
    .selectAll()
    .where('invoice_id', '=', invoice.invoice_id)
    .where(given === null ? 'state' : 'idempotency_key', '=', given ?? 'waiting')
    .executeTakeFirst()
  if (earlier) return readMail(earlier)
  const payer = await findPayer(state.as(scope), invoice.region_id, invoice.operator)
  const recipients = body.recipients ?? payer.recipients
  if (!recipients.length) {
    const message = 'This operator has no invoice recipients. Add some in Settings.'
    throw new Problem('validation_error', message, [{ path: 'body.recipients', message }])
  }
  const mailId = randomUUID()
  const made = await store.transaction().execute(async (within) => {
    const row = await within
      .insertInto('invoice_mail')
      .values({
        ...newMail(viewer, body, at),
        mail_id: mailId,
        idempotency_key: given ?? mailId,
        is_manual: false,
        state: 'waiting',
        recipients: JSON.stringify(recipients),
        cc: JSON.stringify(body.cc ?? payer.cc),
        note: body.note,
      })
      .onConflict((clash) => clash.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (row)
      await queueNotifications(
        within,
        [
          {
            kind: invoiceMailKind,
            regionId: invoice.region_id,
            userId: viewer.userId,
            subscriptionId: null,
            payload: { mail_id: mailId },
            title: invoice.number,
          },
        ],
        at,
      )
    return row
  })
  // Without a row, the same key came twice at once.
  const row =
    made ??
    (await store
      .selectFrom('invoice_mail')
      .selectAll()
      .where('invoice_id', '=', invoice.invoice_id)
      .where('idempotency_key', '=', given ?? mailId)
      .executeTakeFirstOrThrow())
  return readMail(row)
}

/** Notes that an invoice was sent otherwise. */
export async function markSent(
  state: State,
  viewer: Viewer,
  params: OfInvoice,
  note: string,
  at: Date,
): Promise<InvoiceMail> {
  const store = state.as(viewer.scope)
  await findIssued(store, viewer.scope, params)
  const mailId = randomUUID()
  return readMail(
    await store
      .insertInto('invoice_mail')
      .values({
        ...newMail(viewer, params, at),
        mail_id: mailId,
        idempotency_key: mailId,
        is_manual: true,
        state: 'sent',
        recipients: '[]',
        cc: '[]',
        note,
        sent_time: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** Notes that a mail came back. */
export async function markBounced(
  state: State,
  viewer: Viewer,
  { mail_id: mailId, ...params }: OfInvoice & { mail_id: string },
  reason: string,
): Promise<InvoiceMail> {
  const store = state.as(viewer.scope)
  await findIssued(store, viewer.scope, params)
  const row = await store
    .updateTable('invoice_mail')
    .set({ state: 'bounced', problem: reason || 'The mail came back.' })
    .where('mail_id', '=', mailId)
    .where('invoice_id', '=', params.invoice_id)
    .where('state', '=', 'sent')
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new Problem('conflict', 'Only an e-mail that was sent can be marked as bounced.')
  return readMail(row)
}

/** Sets mails failed of which the notification was given up when a server stopped. */
export async function settleMails(store: Store, invoiceId: string, at: Date): Promise<void> {
  const waiting = await store
    .selectFrom('invoice_mail')
    .select(['mail_id', 'requested_time'])
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'waiting')
    .execute()
  for (const { mail_id: mailId, requested_time: requested } of waiting) {
    const notifications = await store
      .selectFrom('notification')
      .select(['state', 'problem', 'done_time', 'payload'])
      .where('kind', '=', invoiceMailKind)
      .where('created_time', '=', requested)
      .execute()
    const notification = notifications.find(({ payload }) => mailIdOf(payload) === mailId)
    if (notification?.state !== 'failed' && notification?.state !== 'done') continue
    await store
      .updateTable('invoice_mail')
      .set(
        notification.state === 'done'
          ? { state: 'sent', sent_time: notification.done_time ?? at }
          : { state: 'failed', problem: notification.problem },
      )
      .where('mail_id', '=', mailId)
      .where('state', '=', 'waiting')
      .execute()
  }
}

const mailIdOf = (payload: unknown): string => (payload as { mail_id: string }).mail_id

/** Mails that bring invoices to operators. They are sent for the user who requested them. */
export function invoiceNotifications(state: State, links: InvoiceLinks): NotificationKind {
  return {
    name: invoiceMailKind,
    isSeparate: true,
    async composeMail([payload], { organizationId, region, publicUrl }) {
      const store = state.as(regionScope(organizationId, region.regionId))
      const mail = await store
        .selectFrom('invoice_mail')
        .selectAll()
        .where('mail_id', '=', mailIdOf(payload))
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      if (!mail) return null
      const { snapshot } = await findSnapshot(store, mail)
      const { pdf } = await store
        .selectFrom('invoice_document')
        .select('pdf')
        .where('invoice_id', '=', mail.invoice_id)
        .executeTakeFirstOrThrow()
      const { number, seller, kind, currency, total, due_date, start_date, end_date, language } = snapshot
      const texts = invoiceMailTexts[await findLanguageOfEmails(state, mail.recipients, language)]
      const title = texts[kind]
      const expires = new Date(mail.requested_time.getTime() + linkDays * 86_400_000)
      const isAttached = pdf.length <= maxAttachmentBytes
      return {
        to: mail.recipients,
        cc: mail.cc,
        ...(seller.contact ? { replyTo: seller.contact } : {}),
        fromName: seller.name,
        subject: `${title} ${number}, ${seller.name}`,
        text: `${texts.from(`${title} ${number}`, seller.name)}
${texts.period(start_date, end_date)}
Total: ${currency} ${groupDigits(total)}
${kind === 'invoice' ? `${texts.due}: ${due_date}\n` : ''}${mail.note ? `\n${mail.note}\n` : ''}
${isAttached ? texts.attached : texts.tooLarge} ${texts.lines(expires.toISOString().slice(0, 10))}
${publicUrl}${links.linkOf(mail.invoice_id, expires)}
`,
        ...(isAttached
          ? {
              attachments: [
                {
                  filename: `${fileName(number)}.pdf`,
                  content: Buffer.from(pdf),
                  contentType: 'application/pdf',
                },
              ],
            }
          : {}),
      }
    },
    async afterAttempt(payloads, { problem, isGivenUp }, at) {
      if (problem !== null && !isGivenUp) return
      // The ids are random and come from this kind's own messages, so the system's Scope finds nothing else.
      await state
        .as(systemScope)
        .updateTable('invoice_mail')
        .set(problem === null ? { state: 'sent', sent_time: at } : { state: 'failed', problem })
        .where('mail_id', 'in', payloads.map(mailIdOf))
        .where('state', '=', 'waiting')
        .execute()
    },
  }
}

/** A number as the name of a file. */
export const fileName = (number: string): string => number.replace(/[^A-Za-z0-9._-]+/g, '-')
