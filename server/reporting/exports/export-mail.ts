import { exportDays } from '#contract/exports.ts'
import type { NotificationKind } from '#server/notifications/notification.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { fileNameOf, type ExportLinks } from './export-files.ts'
import type { ExportRow } from './export-store.ts'

export const exportReadyKind = 'exports.ready'

interface MailContext {
  region: { text: string; timezone: string }
  publicUrl: string
  links: ExportLinks
}

const describe = (row: ExportRow, { region, publicUrl, links }: MailContext): string => {
  const expires = row.expires_time ?? row.created_time
  const until = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: region.timezone,
  }).format(expires)
  return `${fileNameOf(row)}
Rows: ${Number(row.rows).toLocaleString('en-US')}
Download: ${publicUrl}${links.linkOf(row.export_id, expires)}
The link works without a sign-in until ${until}.
SHA-256: ${row.sha256}`
}

/** The mail about exports that are ready. */
export function exportMail(
  rows: readonly ExportRow[],
  context: MailContext,
): { subject: string; text: string } {
  const [first] = rows
  const what = rows.length === 1 && first ? fileNameOf(first) : `${rows.length} files`
  return {
    subject: `Export ready: ${what}`,
    text: `Your export of ${context.region.text} is ready.

${rows.map((row) => describe(row, context)).join('\n\n')}

Anyone with the link can download the file. It is removed after ${exportDays} days.
`,
  }
}

/** Tells users that their exports are ready. */
export const exportNotifications = (state: State, links: ExportLinks): NotificationKind => ({
  name: exportReadyKind,
  async composeMail(payloads, { recipient, region, publicUrl }) {
    const ids = (payloads as readonly { exportId: string }[]).map(({ exportId }) => exportId)
    const rows = await state
      .as(systemScope)
      .selectFrom('export')
      .selectAll()
      .where('export_id', 'in', ids)
      .where('user_id', '=', recipient.userId)
      .where('region_id', '=', region.regionId)
      .where('status', '=', 'ready')
      .orderBy('created_time')
      .execute()
    return rows.length ? exportMail(rows, { region, publicUrl, links }) : null
  },
})
