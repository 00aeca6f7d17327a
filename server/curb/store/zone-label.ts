export interface LabeledZone {
  id: string
  streetName: string
  side: string | null
  /** The CDS record, or at least those of its fields in `labelFields`. */
  record: unknown
}

/** Fields of a CDS record that are parts of labels. */
export const labelFields = ['name', 'user_zone_id', 'cross_street_start_name', 'cross_street_end_name']

const getTextField = (record: unknown, key: string): string => {
  const value = (record as Record<string, unknown> | null)?.[key]
  return typeof value === 'string' ? value : ''
}

/** Returns the label of a zone for planners: its own name, or else its street, side and cross streets. */
export function makeZoneLabel({ id, streetName, side, record }: LabeledZone): string {
  const name = getTextField(record, 'name')
  if (name) return name
  const crossStreets = [
    getTextField(record, 'cross_street_start_name'),
    getTextField(record, 'cross_street_end_name'),
  ]
  return [
    streetName || getTextField(record, 'user_zone_id') || id,
    side ? `${side} side` : '',
    crossStreets.filter(Boolean).join(' – '),
  ]
    .filter(Boolean)
    .join(', ')
}
