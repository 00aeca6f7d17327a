import type { TableChanges } from './changes.ts'
import { noMessages, type ServerMessages } from './server-messages.ts'

/** Writes within this time are reported in one message, so that a busy server does not send one for each. */
const delayMs = 50
const topic = 'tables'
/** Not reported: the job queue, which is written constantly and never cached. */
const ignoredTables = new Set(['pgboss'])

/** Reports writes of this server to the others and records theirs, to invalidate caches of all servers. */
export function shareChanges(changes: TableChanges, messages: ServerMessages): void {
  if (messages === noMessages) return
  const writtenTables = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const report = (): void => {
    timer = undefined
    messages.send(topic, { tables: [...writtenTables] })
    writtenTables.clear()
  }
  changes.onRecord = (table) => {
    if (ignoredTables.has(table)) return
    writtenTables.add(table)
    timer ??= setTimeout(report, delayMs).unref()
  }
  messages.on(topic, ({ tables }) => {
    for (const table of tables as string[]) changes.recordOther(table)
  })
  messages.onGap(() => changes.recordAll())
}
