import { Button, Group, NumberInput, Select, Text, TextInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { streetSides } from '#contract/cds.ts'
import type { CurbZoneForm } from '#contract/curb-edits.ts'
import { CornerList } from '#web/map-page/editing/corner-list.tsx'
import styles from '#web/map-page/editing/editing.module.css'
import { toDrawingParts } from '#web/map-page/editing/drawing-parts.ts'
import { formatDateTime, formatLength } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import { fromMeters, lineLength, toMeters } from './curb-lines.ts'
import { RulesPart } from './rules-part.tsx'
import type { ZoneEditing } from './use-zone-editing.ts'

interface Props {
  editing: ZoneEditing
  isMetric: boolean
}

/** Returns the value that all selected zones share; null if they differ. */
const getSharedValue = <K extends keyof CurbZoneForm>(
  forms: readonly CurbZoneForm[],
  key: K,
): CurbZoneForm[K] | null =>
  forms.every((form) => form[key] === forms[0]?.[key]) ? (forms[0]?.[key] ?? null) : null

/** Edits the selected zones; corners and the split of a single zone can be typed, without a pointer. */
export function ZonePanel({ editing: { state, subjects, dispatch, problems, published }, isMetric }: Props) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const forms = subjects.map(({ now }) => now)
  const [onlyZone] = subjects.length === 1 ? subjects : []
  const part = onlyZone && toDrawingParts(onlyZone.now.geometry).find(({ id }) => id === state.part)
  const line = onlyZone?.now.geometry.type === 'LineString' ? onlyZone.now.geometry.coordinates : null
  const length = forms.reduce(
    (sum, { geometry }) => sum + (geometry.type === 'LineString' ? lineLength(geometry.coordinates) : 0),
    0,
  )
  const problem = onlyZone && problems.get(onlyZone.id)
  const renderField = (key: 'street_name' | 'name' | 'cross_street_start_name' | 'cross_street_end_name') => (
    <TextField
      key={key}
      label={t(`curb:editing.field.${key}`)}
      value={getSharedValue(forms, key)}
      mixed={t('curb:editing.mixed')}
      onChange={(value) => dispatch({ type: 'change', change: { [key]: value } })}
    />
  )
  return (
    <section className={styles['part']} aria-label={t('curb:editing.selected')}>
      <h3 className={styles['title']}>
        {t('curb:editing.selectedCount', { count: subjects.length, length: formatLength(length, isMetric) })}
      </h3>
      {problem ? (
        <Text role="alert" size="sm" c={problem === 'other_side' ? 'var(--amber)' : 'var(--red)'}>
          {t(`curb:editing.problem.${problem}`)}
        </Text>
      ) : null}
      {onlyZone?.base?.inventory_name ? (
        <Text size="xs" c="dimmed">
          {t('curb:editing.fromSource', { source: onlyZone.base.inventory_name })}
        </Text>
      ) : null}
      {onlyZone?.base?.end_time ? (
        <Text size="sm" c="var(--amber)">
          {t('curb:editing.ends', { time: formatDateTime(onlyZone.base.end_time, timezone) })}
        </Text>
      ) : null}
      {renderField('street_name')}
      <Select
        label={t('curb:editing.field.street_side')}
        placeholder={getSharedValue(forms, 'street_side') === null ? t('curb:editing.mixed') : ''}
        clearable
        data={streetSides.map((side) => ({ value: side, label: t(`curb:regulations.side.${side}`) }))}
        value={getSharedValue(forms, 'street_side')}
        onChange={(value) =>
          dispatch({
            type: 'change',
            change: { street_side: streetSides.find((side) => side === value) ?? null },
          })
        }
      />
      <SpacesField
        value={getSharedValue(forms, 'num_spaces')}
        onChange={(num_spaces) => dispatch({ type: 'change', change: { num_spaces } })}
      />
      {onlyZone ? (
        <>
          {renderField('name')}
          {renderField('cross_street_start_name')}
          {renderField('cross_street_end_name')}
        </>
      ) : null}
      <RulesPart subjects={subjects} published={published} dispatch={dispatch} />
      {line ? (
        <SplitField
          length={length}
          isMetric={isMetric}
          onSplit={(meters) => dispatch({ type: 'split', cut: meters })}
        />
      ) : null}
      {part ? (
        <CornersPart part={part} onChange={(positions) => dispatch({ type: 'moved', positions })} />
      ) : null}
    </section>
  )
}

interface SplitFieldProps {
  /** Length of the zone, in meters. */
  length: number
  isMetric: boolean
  onSplit: (meters: number) => void
}

/** Splits the zone at a typed distance from its start. */
function SplitField({ length, isMetric, onSplit }: SplitFieldProps) {
  const { t } = useTranslation()
  const [cut, setCut] = useState<number | string>('')
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <NumberInput
        label={t('curb:editing.splitAt')}
        min={1}
        max={Math.floor(fromMeters(length, isMetric))}
        suffix={isMetric ? ' m' : ' ft'}
        value={cut}
        onChange={setCut}
      />
      <Button
        variant="default"
        disabled={cut === ''}
        onClick={() => {
          onSplit(toMeters(Number(cut), isMetric))
          setCut('')
        }}
      >
        {t('curb:editing.split')}
      </Button>
    </Group>
  )
}

/** A button that shows the corners of the zone as numbers. */
function CornersPart({ part, onChange }: ComponentProps<typeof CornerList>) {
  const { t } = useTranslation()
  const [hasCorners, setHasCorners] = useState(false)
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        justify="flex-start"
        aria-expanded={hasCorners}
        onClick={() => setHasCorners(!hasCorners)}
      >
        {t('map:editing.corners.title')}
      </Button>
      {hasCorners ? <CornerList part={part} onChange={onChange} /> : null}
    </>
  )
}

interface TextFieldProps {
  label: string
  /** Null if the selected zones differ. */
  value: string | null
  mixed: string
  onChange: (value: string) => void
}

/** A field that applies the typed text as one step when it loses focus. */
function TextField({ label, value, mixed, onChange }: TextFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      label={label}
      maxLength={500}
      placeholder={value === null ? mixed : ''}
      value={typed ?? value ?? ''}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== null && typed.trim() !== (value ?? '')) onChange(typed.trim())
        setTyped(null)
      }}
    />
  )
}

interface SpacesFieldProps {
  value: number | null
  onChange: (value: number | null) => void
}

function SpacesField({ value, onChange }: SpacesFieldProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<number | string | null>(null)
  return (
    <NumberInput
      label={t('curb:editing.field.num_spaces')}
      description={t('curb:editing.spacesFromLength')}
      min={0}
      max={10_000}
      allowDecimal={false}
      value={typed ?? value ?? ''}
      onChange={setTyped}
      onBlur={() => {
        if (typed !== null) onChange(typed === '' ? null : Number(typed))
        setTyped(null)
      }}
    />
  )
}
