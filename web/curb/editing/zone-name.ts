import type { TFunction } from 'i18next'
import type { CurbZoneForm } from '#contract/curb-edits.ts'

/** Formats the name of a zone, such as `2nd Street, north side`. */
export function formatZoneName(
  t: TFunction,
  {
    street_name: street,
    name,
    street_side: side,
  }: Pick<CurbZoneForm, 'street_name' | 'name' | 'street_side'>,
): string {
  const place = street || name || t('curb:editing.unnamed')
  return side === null
    ? place
    : `${place}, ${t('curb:regulations.zones.side', { side: t(`curb:regulations.side.${side}`) })}`
}
