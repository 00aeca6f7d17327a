import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MdsVersion } from '../mds/mds-context.ts'
import type { ItemKind } from '../mds/read-mds-item.ts'
import { type Push, createPushContext } from './agency.ts'
import { type PushedItem, readPushedItem } from './pushed-item.ts'

/** The number of items that are read before other work gets a turn. */
const itemsPerTurn = 500

/** Reads all items of a push. `name`: the list's name in paths of errors, such as `events[3]`. */
export async function readPushedItems(
  list: readonly unknown[],
  { version, kind, push, name }: { version: MdsVersion; kind: ItemKind; push: Push; name: string },
): Promise<PushedItem[]> {
  const context = createPushContext(push)
  const items: PushedItem[] = []
  for (const [index, item] of list.entries()) {
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn()
    items.push(
      readPushedItem(item, { version, kind, context, path: list.length > 1 ? `${name}[${index}]` : '' }),
    )
  }
  return items
}
