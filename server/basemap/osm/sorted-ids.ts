/** A set of ids, packed and in order. Asked in order, as files have them, an answer is one step away from the one before. */
export class SortedIds {
  readonly ids: Float64Array
  #last = 0

  /** Takes the list over: it is sorted and made unique in place. */
  constructor(list: Float64Array) {
    list.sort()
    let length = 0
    for (let at = 0; at < list.length; at++)
      if (at === 0 || list[at] !== list[at - 1]) list[length++] = list[at]!
    this.ids = list.subarray(0, length)
  }

  /** Place of an id in the order; -1 where it is not there. */
  indexOf(id: number): number {
    const { ids } = this
    let at = this.#last
    if (ids[at] !== id) {
      // The next few are tried before the search begins.
      const until = Math.min(ids.length, at + 8)
      while (at < until && ids[at]! < id) at++
      if (ids[at] !== id) at = this.#search(id)
    }
    this.#last = Math.min(at, ids.length - 1)
    return ids[at] === id ? at : -1
  }

  #search(id: number): number {
    let [low, high] = [0, this.ids.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.ids[middle]! < id) low = middle + 1
      else high = middle
    }
    return low
  }

  has(id: number): boolean {
    return this.indexOf(id) !== -1
  }
}
