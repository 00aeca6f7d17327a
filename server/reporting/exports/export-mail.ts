import { exportDays } from '#contract/exports.ts'
import type { Language } from '#contract/identity.ts'
import { mailLocales } from '#server/mail/mail-texts.ts'
import type { NotificationKind } from '#server/notifications/notification.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { getFileName, type ExportLinks } from './export-files.ts'
import type { ExportRow } from './export-store.ts'

export const exportReadyKind = 'exports.ready'

interface MailContext {
  region: { text: string; timezone: string }
  publicUrl: string
  links: ExportLinks
  language: Language
}

interface ExportTexts {
  subject: (what: string) => string
  files: (count: number) => string
  ready: (region: string) => string
  rows: string
  download: string
  until: (time: string) => string
  removed: (days: number) => string
}

const texts: Readonly<Record<Language, ExportTexts>> = {
  'en-US': {
    subject: (what) => `Export ready: ${what}`,
    files: (count) => `${count} files`,
    ready: (region) => `Your export of ${region} is ready.`,
    rows: 'Rows',
    download: 'Download',
    until: (time) => `The link works without a sign-in until ${time}.`,
    removed: (days) => `Anyone with the link can download the file. It is removed after ${days} days.`,
  },
  es: {
    subject: (what) => `Exportación lista: ${what}`,
    files: (count) => `${count} archivos`,
    ready: (region) => `Su exportación de ${region} está lista.`,
    rows: 'Filas',
    download: 'Descargar',
    until: (time) => `El enlace funciona sin iniciar sesión hasta el ${time}.`,
    removed: (days) =>
      `Cualquiera que tenga el enlace puede descargar el archivo. Se elimina después de ${days} días.`,
  },
}

const describeExport = (row: ExportRow, { region, publicUrl, links, language }: MailContext): string => {
  const { rows, download, until } = texts[language]
  const expires = row.expires_time ?? row.created_time
  const time = new Intl.DateTimeFormat(mailLocales[language], {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: region.timezone,
  }).format(expires)
  return `${getFileName(row)}
${rows}: ${Number(row.rows).toLocaleString('en-US')}
${download}: ${publicUrl}${links.createLink(row.export_id, expires)}
${until(time)}
SHA-256: ${row.sha256}`
}

/** Returns the mail about finished exports. */
export function composeExportMail(
  rows: readonly ExportRow[],
  context: MailContext,
): { subject: string; text: string } {
  const { subject, files, ready, removed } = texts[context.language]
  const [firstRow] = rows
  return {
    subject: subject(rows.length === 1 && firstRow ? getFileName(firstRow) : files(rows.length)),
    text: `${ready(context.region.text)}

${rows.map((row) => describeExport(row, context)).join('\n\n')}

${removed(exportDays)}
`,
  }
}

/** Notifies users by mail that their exports are ready. */
export const createExportNotifications = (state: State, links: ExportLinks): NotificationKind => ({
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
    return rows.length
      ? composeExportMail(rows, { region, publicUrl, links, language: recipient.language })
      : null
  },
})
