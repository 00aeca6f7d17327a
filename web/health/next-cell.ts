/** A place in the calendar: which day and which hour, both from 0. */
export interface Cell {
  row: number
  hour: number
}

/** Where a key leads from a cell of so many days; null for keys that lead nowhere. */
export function nextCell({ row, hour }: Cell, key: string, rows: number): Cell | null {
  const moves: Readonly<Record<string, Cell>> = {
    ArrowRight: { row, hour: Math.min(23, hour + 1) },
    ArrowLeft: { row, hour: Math.max(0, hour - 1) },
    ArrowDown: { row: Math.min(rows - 1, row + 1), hour },
    ArrowUp: { row: Math.max(0, row - 1), hour },
    Home: { row, hour: 0 },
    End: { row, hour: 23 },
  }
  return Object.hasOwn(moves, key) ? (moves[key] ?? null) : null
}
