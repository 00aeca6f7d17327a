export interface LabeledZone {
  id: string
  streetName: string
  side: string | null
  /** The CDS record, or those fields of it that name the zone. */
  record: unknown
}

/** Fields of a CDS record that name a zone. */
export const labelFields = ['name', 'user_zone_id', 'cross_street_start_name', 'cross_street_end_name']

const textOf = (record: unknown, key: string): string => {
  const value = (record as Record<string, unknown> | null)?.[key]
  return typeof value === 'string' ? value : ''
}

/** What a planner calls a zone: its own name, or its street, side and cross streets. */
export function zoneLabel({ id, streetName, side, record }: LabeledZone): string {
  const name = textOf(record, 'name')
  if (name) return name
  const between = [textOf(record, 'cross_street_start_name'), textOf(record, 'cross_street_end_name')]
  return [
    streetName || textOf(record, 'user_zone_id') || id,
    side ? `${side} side` : '',
    between.filter(Boolean).join(' – '),
  ]
    .filter(Boolean)
    .join(', ')
}
