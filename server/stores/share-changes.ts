import type { TableChanges } from './changes.ts'
import { noMessages, type ServerMessages } from './server-messages.ts'

/** Writes are reported together: a busy server would otherwise send a message for each. */
const delayMs = 50
const topic = 'tables'
/** Tables of the job queue, which nobody caches and which are written all the time. */
const ignored = new Set(['pgboss'])

/** Reports writes of this server to the others, and records theirs, so that caches of all servers are invalidated. */
export function shareChanges(changes: TableChanges, messages: ServerMessages): void {
  if (messages === noMessages) return
  const written = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const report = (): void => {
    timer = undefined
    messages.send(topic, { tables: [...written] })
    written.clear()
  }
  changes.onRecord = (table) => {
    if (ignored.has(table)) return
    written.add(table)
    timer ??= setTimeout(report, delayMs).unref()
  }
  messages.on(topic, ({ tables }) => {
    for (const table of tables as string[]) changes.recordOther(table)
  })
  messages.onGap(() => changes.recordAll())
}
