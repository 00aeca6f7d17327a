import { Button, Checkbox, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CurbZoneChoice, findCurbZoneChoices, listCurbZoneChoices } from '#contract/curb-zones.ts'
import { call } from '#web/data/client.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatInteger, formatNearDistance } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import styles from './regulations.module.css'

/** Formats a place such as `2nd Street, north side, Avenue 1 – Avenue 2`. */
export function formatZonePlace(zone: CurbZoneChoice, formatSide: (formatSide: string) => string): string {
  const crossStreets = [zone.cross_street_start_name, zone.cross_street_end_name].filter(
    (street) => street !== null,
  )
  return [
    zone.street_name || zone.name || zone.curb_zone_id,
    zone.street_side === null ? null : formatSide(zone.street_side),
    crossStreets.length ? crossStreets.join(' – ') : zone.street_name ? zone.name : null,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

const maxListedZones = 100
const searchPauseMs = 300
/** Maximum number of zones that are added at once. */
const maxAddedZones = 5000

interface Props {
  zoneIds: readonly string[]
  error: string | null
  onChange: (zoneIds: string[]) => void
}

/** The zones of a regulation, selected from a searchable list. */
export function ZoneFields({ zoneIds, error, onChange }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId }
  const [typed, setTyped] = useState('')
  const [searchText] = useDebouncedValue(typed.trim(), searchPauseMs)
  const [isSelectedOnly, setIsSelectedOnly] = useState(zoneIds.length > 0)
  const [isAdding, setIsAdding] = useState(false)
  const searchResult = useEndpointQuery(
    listCurbZoneChoices,
    { params, query: { text: searchText, size: maxListedZones } },
    { enabled: !isSelectedOnly, placeholderData: keepPreviousData },
  )
  const selected = useEndpointQuery(
    findCurbZoneChoices,
    { params, body: { curb_zone_ids: zoneIds.slice(0, maxListedZones) } },
    { enabled: isSelectedOnly && zoneIds.length > 0, placeholderData: keepPreviousData },
  )
  const response = isSelectedOnly ? selected : searchResult
  const selectedIds = new Set(zoneIds)
  const zones = isSelectedOnly
    ? (selected.data?.items ?? []).filter(({ curb_zone_id: id }) => selectedIds.has(id))
    : (searchResult.data?.items ?? [])
  const total = isSelectedOnly ? zoneIds.length : (searchResult.data?.total ?? 0)
  const toggle = (id: string): void =>
    onChange(selectedIds.has(id) ? zoneIds.filter((other) => other !== id) : [...zoneIds, id])
  const addAll = async (): Promise<void> => {
    setIsAdding(true)
    try {
      const response = await call(listCurbZoneChoices, {
        params,
        query: { text: searchText, size: maxAddedZones },
      })
      onChange([...new Set([...zoneIds, ...response.items.map((row) => row.curb_zone_id)])])
    } finally {
      setIsAdding(false)
    }
  }
  return (
    <div data-part="zones">
      <div className={styles['zoneHead']}>
        <SegmentedControl
          size="xs"
          aria-label={t('curb:regulations.zones.shown')}
          value={isSelectedOnly ? 'chosen' : 'all'}
          data={[
            {
              value: 'chosen',
              label: t('curb:regulations.zones.chosen', { shown: formatInteger(zoneIds.length) }),
            },
            { value: 'all', label: t('curb:regulations.zones.all') },
          ]}
          onChange={(value) => setIsSelectedOnly(value === 'chosen')}
        />
        {zoneIds.length ? (
          <Button variant="subtle" size="compact-sm" color="red" onClick={() => onChange([])}>
            {t('curb:regulations.zones.clear')}
          </Button>
        ) : null}
      </div>
      {isSelectedOnly ? null : (
        <TextInput
          mb={4}
          type="search"
          label={t('curb:regulations.zones.search')}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {response.error ? <FailedState error={response.error} onRetry={() => void response.refetch()} /> : null}
      <ZoneList
        zones={zones}
        selected={selectedIds}
        isSelectedOnly={isSelectedOnly}
        isFetching={response.isFetching}
        hasError={error !== null}
        onToggle={toggle}
      />
      <div className={styles['zoneHead']}>
        <Text size="sm" c="dimmed" role="status">
          {total > zones.length
            ? t('curb:regulations.zones.some', {
                shown: formatInteger(zones.length),
                total: formatInteger(total),
              })
            : t('curb:regulations.zones.count', { count: total, shown: formatInteger(total) })}
        </Text>
        {!isSelectedOnly && total > 0 && total <= maxAddedZones ? (
          <Button variant="subtle" size="compact-sm" loading={isAdding} onClick={() => void addAll()}>
            {t('curb:regulations.zones.addAll', { shown: formatInteger(total) })}
          </Button>
        ) : null}
      </div>
      {error ? <p className={styles['finding']}>{error}</p> : null}
    </div>
  )
}

interface ZoneListProps {
  zones: readonly CurbZoneChoice[]
  selected: ReadonlySet<string>
  isSelectedOnly: boolean
  isFetching: boolean
  hasError: boolean
  onToggle: (id: string) => void
}

/** The zones with check boxes. */
function ZoneList({ zones, selected, isSelectedOnly, isFetching, hasError, onToggle }: ZoneListProps) {
  const { t } = useTranslation()
  const { isMetric } = useRegion()
  const formatSide = (name: string): string =>
    t('curb:regulations.zones.side', { side: t(`curb:regulations.side.${name}`, { defaultValue: name }) })
  return (
    // A scrolling box must be reachable by keyboard.
    <div
      className={styles['zoneList']}
      data-error={hasError || undefined}
      tabIndex={0}
      role="group"
      aria-label={t('curb:regulations.zones.list')}
      aria-busy={isFetching || undefined}
    >
      {zones.map((zone) => (
        <div key={zone.curb_zone_id} className={styles['zone']}>
          <Checkbox
            label={formatZonePlace(zone, formatSide)}
            checked={selected.has(zone.curb_zone_id)}
            onChange={() => onToggle(zone.curb_zone_id)}
          />
          <span className={styles['sub']}>{formatNearDistance(zone.length_m, isMetric)}</span>
        </div>
      ))}
      {zones.length || isFetching ? null : (
        <Text p="sm" size="sm" c="dimmed">
          {t(isSelectedOnly ? 'curb:regulations.zones.none' : 'curb:regulations.zones.nothingFound')}
        </Text>
      )}
    </div>
  )
}
