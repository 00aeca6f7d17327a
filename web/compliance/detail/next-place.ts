export interface Place {
  row: number
  column: number
}

/** Where a key leads in a grid; null: it leads nowhere. */
export function nextPlace({ row, column }: Place, key: string, rows: number, columns: number): Place | null {
  const to = (toRow: number, toColumn: number): Place => ({
    row: Math.max(0, Math.min(rows - 1, toRow)),
    column: Math.max(0, Math.min(columns - 1, toColumn)),
  })
  switch (key) {
    case 'ArrowLeft':
      return to(row, column - 1)
    case 'ArrowRight':
      return to(row, column + 1)
    case 'ArrowUp':
      return to(row - 1, column)
    case 'ArrowDown':
      return to(row + 1, column)
    case 'Home':
      return to(row, 0)
    case 'End':
      return to(row, columns - 1)
    default:
      return null
  }
}
