/** Lists of numbers by number, one behind the other: list n stands from `starts[n]` to `starts[n + 1]`. */
export interface FlatLists {
  starts: Uint32Array
  items: Uint32Array
}

/** `fill` names each item of each list, the same both times it is called. */
export function flatLists(
  count: number,
  fill: (add: (list: number, item: number) => void) => void,
): FlatLists {
  const starts = new Uint32Array(count + 1)
  fill((list) => starts[list + 1]!++)
  for (let list = 0; list < count; list++) starts[list + 1]! += starts[list] as number
  const items = new Uint32Array(starts[count] as number)
  const next = starts.slice(0, count)
  fill((list, item) => {
    items[next[list]!++] = item
  })
  return { starts, items }
}
