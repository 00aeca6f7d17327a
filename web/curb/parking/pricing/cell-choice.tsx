import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getDayTypes, type PricingBand, type PricingDayType } from '#contract/curb-pricing-parameters.ts'
import styles from './pricing.module.css'
import type { PricingSearch } from './pricing-search.ts'
import { formatPricingBand, formatDayType } from './pricing-text.ts'

/** All time bands and day types; a band may have only some of the day types. */
interface Cells {
  bands: readonly PricingBand[]
  day_types: readonly PricingDayType[]
}
/** Keys of the time band and day type that the map shows. */
export interface MapCell {
  band: string
  day_type: string
}

/** Returns the time band and day type of the URL, or the first ones. */
export function useCell(cells: Cells, search: Pick<PricingSearch, 'band' | 'day_type'>): MapCell {
  return useMemo(() => {
    const band = cells.bands.find(({ key }) => key === search.band) ?? cells.bands[0]
    const types = band ? getDayTypes(band, cells.day_types) : []
    const type = types.find(({ key }) => key === search.day_type) ?? types[0]
    return { band: band?.key ?? '', day_type: type?.key ?? '' }
  }, [cells, search.band, search.day_type])
}

interface Props {
  parameters: Cells
  cell: MapCell
  onChange: (changes: Pick<PricingSearch, 'band' | 'day_type'>) => void
}

/** Selects the time band and day type of the map. */
export function CellChoice({ parameters, cell, onChange }: Props) {
  const { t } = useTranslation()
  const band = parameters.bands.find(({ key }) => key === cell.band)
  const types = band ? getDayTypes(band, parameters.day_types) : []
  return (
    <div className={styles['filters']}>
      <Select
        label={t('curb:pricing.column.band')}
        allowDeselect={false}
        data={parameters.bands.map((band) => ({ value: band.key, label: formatPricingBand(t, band) }))}
        value={cell.band}
        onChange={(value) => onChange({ band: value ?? undefined })}
      />
      <Select
        label={t('curb:pricing.column.dayType')}
        allowDeselect={false}
        data={types.map((type) => ({ value: type.key, label: formatDayType(t, type) }))}
        value={cell.day_type}
        onChange={(value) => onChange({ day_type: value ?? undefined })}
      />
    </div>
  )
}
