import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type * as contract from '#contract/invoices.ts'
import type { InvoiceMail } from '#contract/invoices.ts'
import { dayMs } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call, WriteCall } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findLanguageOfEmails } from '#server/identity/find-user.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { queueNotifications } from '#server/notifications/notification-store.ts'
import type { ComposedMail, NotificationKind } from '#server/notifications/notification.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { findPayer } from './billing-settings.ts'
import { invoiceMailTexts } from './invoice-mail-texts.ts'
import { groupDigits } from './taxes.ts'
import { getActorEmail, findIssued, findSnapshot, type InvoiceParams } from './invoice-store.ts'

type MailRow = Selectable<StateTables['invoice_mail']>

/** The kind of the notifications that send invoices. */
export const invoiceMailKind = 'invoice'
/** Larger PDFs are not attached. */
const maxAttachmentBytes = 10 * 1024 * 1024
/** Days until the link in a mail expires. */
const linkDays = 180

/** Signs links to the lines of invoices, which work without a sign-in until they expire. */
export class InvoiceLinks {
  readonly #key: string
  constructor(secretBox: Pick<SecretBox, 'derive'>) {
    this.#key = secretBox.derive('invoice links')
  }

  #sign(invoiceId: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${invoiceId} ${expires}`).digest('base64url')
  }

  /** Returns the path and query of a signed link. */
  createLink(invoiceId: string, expires: Date): string {
    const seconds = String(Math.floor(expires.getTime() / 1000))
    return `/v2/public/invoices/${invoiceId}?expires=${seconds}&signature=${this.#sign(invoiceId, seconds)}`
  }

  /** Throws unless the signature is valid and the link has not expired. */
  check(invoiceId: string, { expires, signature }: { expires: string; signature: string }, at: Date): void {
    const expected = Buffer.from(this.#sign(invoiceId, expires))
    const actual = Buffer.from(signature)
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual))
      throw new Problem('forbidden', 'This link is not valid. Request a new one.')
    if (at.getTime() >= Number(expires) * 1000) throw new Problem('gone', 'This link has expired.')
  }
}

const toInvoiceMail = (row: MailRow): InvoiceMail => ({
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

/** Makes the columns that mails and manual sendings have in common. */
const makeCommonColumns = (viewer: Viewer, { region_id, invoice_id }: InvoiceParams, at: Date) => ({
  region_id,
  invoice_id,
  requested_by: getActorEmail(viewer),
  requested_time: at,
})

const selectMails = (store: Store, invoiceId: string) =>
  store.selectFrom('invoice_mail').selectAll().where('invoice_id', '=', invoiceId)

/** Finds the mails of an invoice, oldest first. */
export const findMails = async (store: Store, invoiceId: string): Promise<InvoiceMail[]> =>
  (await selectMails(store, invoiceId).orderBy('requested_time').execute()).map(toInvoiceMail)

/** Stores a waiting mail and queues it. Returns undefined if another request with the same key was faster. */
const insertWaitingMail = (
  store: Store,
  viewer: Viewer,
  {
    number,
    ...mail
  }: Omit<Insertable<StateTables['invoice_mail']>, 'is_manual' | 'state'> & {
    mail_id: string
    number: string
  },
  at: Date,
): Promise<MailRow | undefined> =>
  store.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('invoice_mail')
      .values({ ...mail, is_manual: false, state: 'waiting' })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) return undefined
    const notification = {
      kind: invoiceMailKind,
      regionId: mail.region_id,
      userId: viewer.userId,
      subscriptionId: null,
      payload: { mail_id: mail.mail_id },
      title: number,
    }
    await queueNotifications(transaction, [notification], at)
    return row
  })

/** Requests a mail with an issued invoice. Returns an earlier mail with the same idempotency key. */
export async function sendInvoiceEmail(
  state: State,
  { viewer, body, headers, at }: Call<typeof contract.sendInvoiceEmail>,
): Promise<InvoiceMail> {
  const { scope } = viewer
  await findRegion(state, scope, body.region_id)
  const store = state.as(scope)
  const invoice = await findIssued(store, scope, body)
  const idempotencyKey = body.idempotency_key ?? headers.get('idempotency-key')
  // Without a key, a mail that is still waiting counts as the same request.
  const earlierMail = await selectMails(store, invoice.invoice_id)
    .where(idempotencyKey === null ? 'state' : 'idempotency_key', '=', idempotencyKey ?? 'waiting')
    .executeTakeFirst()
  if (earlierMail) return toInvoiceMail(earlierMail)
  const payer = await findPayer(store, invoice.region_id, invoice.operator)
  const recipients = body.recipients ?? payer.recipients
  if (!recipients.length) {
    const message = 'This operator has no invoice recipients. Add some in Settings.'
    throw new Problem('validation_error', message, [{ path: 'body.recipients', message }])
  }
  const mailId = randomUUID()
  const mail = {
    ...makeCommonColumns(viewer, body, at),
    mail_id: mailId,
    idempotency_key: idempotencyKey ?? mailId,
    recipients: JSON.stringify(recipients),
    cc: JSON.stringify(body.cc ?? payer.cc),
    note: body.note,
  }
  const row =
    (await insertWaitingMail(store, viewer, { ...mail, number: invoice.number }, at)) ??
    (await selectMails(store, invoice.invoice_id)
      .where('idempotency_key', '=', mail.idempotency_key)
      .executeTakeFirstOrThrow())
  return toInvoiceMail(row)
}

/** Records that an invoice was sent by other means. */
export async function markInvoiceSent(
  state: State,
  { viewer, params, body: { note }, at }: WriteCall<typeof contract.markInvoiceSent>,
): Promise<InvoiceMail> {
  const store = state.as(viewer.scope)
  await findIssued(store, viewer.scope, params)
  const mailId = randomUUID()
  return toInvoiceMail(
    await store
      .insertInto('invoice_mail')
      .values({
        ...makeCommonColumns(viewer, params, at),
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

export async function markMailBounced(
  state: State,
  { viewer, params, body: { reason } }: Call<typeof contract.markMailBounced>,
): Promise<InvoiceMail> {
  const store = state.as(viewer.scope)
  await findIssued(store, viewer.scope, params)
  const row = await store
    .updateTable('invoice_mail')
    .set({ state: 'bounced', problem: reason || 'The mail came back.' })
    .where('mail_id', '=', params.mail_id)
    .where('invoice_id', '=', params.invoice_id)
    .where('state', '=', 'sent')
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new Problem('conflict', 'Only an e-mail that was sent can be marked as bounced.')
  return toInvoiceMail(row)
}

/** Updates waiting mails with a notification that was sent or given up while a server stopped. */
export async function updateWaitingMails(store: Store, invoiceId: string, at: Date): Promise<void> {
  const waitingMails = await store
    .selectFrom('invoice_mail')
    .select(['mail_id', 'requested_time'])
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'waiting')
    .execute()
  for (const { mail_id: mailId, requested_time: requestedTime } of waitingMails) {
    const notifications = await store
      .selectFrom('notification')
      .select(['state', 'problem', 'done_time', 'payload'])
      .where('kind', '=', invoiceMailKind)
      .where('created_time', '=', requestedTime)
      .execute()
    const notification = notifications.find(({ payload }) => readMailId(payload) === mailId)
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

const readMailId = (payload: unknown): string => (payload as { mail_id: string }).mail_id

/** Composes subject, text and attachment of a mail, in the language of its recipients. */
async function composeMail(
  state: State,
  links: InvoiceLinks,
  mail: MailRow,
  { store, publicUrl }: { store: Store; publicUrl: string },
): Promise<ComposedMail> {
  const { snapshot } = await findSnapshot(store, mail)
  const { pdf } = await store
    .selectFrom('invoice_document')
    .select('pdf')
    .where('invoice_id', '=', mail.invoice_id)
    .executeTakeFirstOrThrow()
  const { number, seller, kind, currency, total, due_date, start_date, end_date, language } = snapshot
  const texts = invoiceMailTexts[await findLanguageOfEmails(state, mail.recipients, language)]
  const title = `${texts[kind]} ${number}`
  const expires = new Date(mail.requested_time.getTime() + linkDays * dayMs)
  const isAttached = pdf.length <= maxAttachmentBytes
  const attachment = {
    filename: `${toFileName(number)}.pdf`,
    content: Buffer.from(pdf),
    contentType: 'application/pdf',
  }
  return {
    to: mail.recipients,
    cc: mail.cc,
    ...(seller.contact ? { replyTo: seller.contact } : {}),
    fromName: seller.name,
    subject: `${title}, ${seller.name}`,
    text: `${texts.from(title, seller.name)}
${texts.period(start_date, end_date)}
Total: ${currency} ${groupDigits(total)}
${kind === 'invoice' ? `${texts.due}: ${due_date}\n` : ''}${mail.note ? `\n${mail.note}\n` : ''}
${isAttached ? texts.attached : texts.tooLarge} ${texts.lines(expires.toISOString().slice(0, 10))}
${publicUrl}${links.createLink(mail.invoice_id, expires)}
`,
    ...(isAttached ? { attachments: [attachment] } : {}),
  }
}

/** Returns the notification kind that mails invoices to operators, on behalf of the user who requested it. */
export function createInvoiceNotifications(state: State, links: InvoiceLinks): NotificationKind {
  return {
    name: invoiceMailKind,
    isSeparate: true,
    async composeMail([payload], { organizationId, region, publicUrl }) {
      const store = state.as(regionScope(organizationId, region.regionId))
      const mail = await store
        .selectFrom('invoice_mail')
        .selectAll()
        .where('mail_id', '=', readMailId(payload))
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      return mail ? composeMail(state, links, mail, { store, publicUrl }) : null
    },
    async afterAttempt(payloads, { problem, isGivenUp }, at) {
      if (problem !== null && !isGivenUp) return
      // The system Scope is safe here: the mail ids are random and come from payloads of this kind only.
      await state
        .as(systemScope)
        .updateTable('invoice_mail')
        .set(problem === null ? { state: 'sent', sent_time: at } : { state: 'failed', problem })
        .where('mail_id', 'in', payloads.map(readMailId))
        .where('state', '=', 'waiting')
        .execute()
    },
  }
}

/** Replaces characters of an invoice number that are not safe in file names. */
export const toFileName = (number: string): string => number.replace(/[^A-Za-z0-9._-]+/g, '-')
