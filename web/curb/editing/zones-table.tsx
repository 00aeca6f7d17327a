import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatInteger, formatLength } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { TableState, TableStateHandler } from '#web/kit/table/table-state.ts'
import { Table } from '#web/kit/table/table.tsx'
import { lineLength } from './curb-lines.ts'
import type { ZoneEditing } from './use-zone-editing.ts'
import type { Subject } from './zone-operations.ts'
import { formatZoneName } from './zone-name.ts'

interface Props {
  editing: ZoneEditing
  isMetric: boolean
  height: number
  state: TableState
  onStateChange: TableStateHandler
}

const getLengthMeters = ({ now: { geometry } }: Subject): number =>
  geometry.type === 'LineString' ? lineLength(geometry.coordinates) : 0

/** The zones around the view; checked zones are selected and edited together. */
export function ZonesTable({
  editing: { visibleZones, subjects, dispatch, draft, published },
  isMetric,
  height,
  state,
  onStateChange,
}: Props) {
  const { t } = useTranslation()
  const nameByPolicy = useMemo(
    () => new Map(published.map((regulation) => [regulation.published_policy_id, regulation.name])),
    [published],
  )
  const columns: TableColumn<Subject>[] = [
    column('zone', t('curb:editing.field.street_name'), ({ now }) => formatZoneName(t, now)),
    column('length', t('curb:editing.length'), (zone) => Math.round(getLengthMeters(zone) * 10) / 10, {
      isNumber: true,
      renderCell: (zone) => formatLength(getLengthMeters(zone), isMetric),
    }),
    column('spaces', t('curb:editing.field.num_spaces'), ({ now }) => now.num_spaces, {
      isNumber: true,
      renderCell: ({ now }) => (now.num_spaces === null ? '' : formatInteger(now.num_spaces)),
    }),
    column('rules', t('curb:editing.field.curb_policy_ids'), ({ now }) =>
      now.curb_policy_ids.map((id) => nameByPolicy.get(id) ?? id).join(', '),
    ),
    column('source', t('curb:editing.source'), ({ base, id }) =>
      draft.has(id) ? t('curb:editing.unsaved') : (base?.inventory_name ?? t('curb:editing.drawn')),
    ),
  ]
  const [first] = subjects
  const street = first?.now.street_name ?? ''
  return (
    <Table
      label={t('curb:editing.table')}
      rows={visibleZones}
      columns={columns}
      rowKey={({ id }) => id}
      state={state}
      onStateChange={onStateChange}
      defaultSort="zone"
      height={height}
      onSelect={(id) => dispatch({ type: 'select', ids: [id] })}
      checks={{
        checked: new Map(subjects.map((zone) => [zone.id, zone])),
        onCheck: (checked) => dispatch({ type: 'select', ids: [...checked.keys()] }),
        rowLabel: ({ now }) => formatZoneName(t, now),
        actions: (
          <>
            {street ? (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() =>
                  dispatch({
                    type: 'select',
                    ids: visibleZones.filter(({ now }) => now.street_name === street).map(({ id }) => id),
                  })
                }
              >
                {t('curb:editing.selectStreet', { street })}
              </Button>
            ) : null}
            <Button
              size="compact-sm"
              variant="default"
              disabled={subjects.length < 2}
              onClick={() => dispatch({ type: 'merge' })}
            >
              {t('curb:editing.tool.merge')}
            </Button>
          </>
        ),
      }}
    />
  )
}
