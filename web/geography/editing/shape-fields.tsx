import { Button, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxShapeNameLength } from '#contract/geography.ts'
import { formatInteger } from '#web/kit/format.ts'
import { MeasureList } from '../measure-list.tsx'
import { toDrawingParts } from '#web/map-page/editing/drawing-parts.ts'
import type { Problem } from '../geometry/geometry-problems.ts'
import { CornerList } from '#web/map-page/editing/corner-list.tsx'
import type { EditAction, EditState } from './edit-state.ts'
import styles from '#web/map-page/editing/editing.module.css'
import type { Subject } from '../geometry/area-operations.ts'

interface Props {
  subject: Subject
  state: EditState
  problems: readonly Problem[]
  isMetric: boolean
  /** Other shapes that can be merged into this one without a pointer. */
  others: readonly { id: string; name: string }[]
  dispatch: (action: EditAction) => void
}

/** The edited shape: name, size, parts and problems. */
export function ShapeFields({ subject, state, problems, isMetric, others, dispatch }: Props) {
  const { t } = useTranslation()
  const { id, form } = subject
  const [name, setName] = useState(form.name)
  const [description, setDescription] = useState(form.description ?? '')
  const [areCornersShown, setAreCornersShown] = useState(false)
  const parts = toDrawingParts(form.geom)
  const part = parts.find((part) => part.id === state.activePart)
  const corners = parts.reduce(
    (sum, ring) => sum + ring.positions.length - (ring.kind === 'outline' || ring.kind === 'hole' ? 1 : 0),
    0,
  )
  return (
    <section className={styles['part']} aria-label={t('geography:shape.details')}>
      <TextInput
        label={t('geography:shape.name')}
        required
        maxLength={maxShapeNameLength}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() =>
          name.trim() ? dispatch({ type: 'form', id, form: { name: name.trim() } }) : setName(form.name)
        }
      />
      <Textarea
        label={t('geography:shape.description')}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={2000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        onBlur={() => dispatch({ type: 'form', id, form: { description: description.trim() || null } })}
      />
      <MeasureList geom={form.geom} isMetric={isMetric}>
        <dt>{t('geography:measure.corners')}</dt>
        <dd>{formatInteger(corners)}</dd>
      </MeasureList>
      {problems.length > 0 ? (
        <div role="alert">
          <Text size="sm" c="var(--red)">
            {t(`geography:problem.${problems[0]!.code}`, { count: problems.length })}
          </Text>
          <Button mt={4} size="xs" variant="default" onClick={() => dispatch({ type: 'repair' })}>
            {t('geography:problem.repair')}
          </Button>
        </div>
      ) : null}
      {parts.length > 1 ? (
        <NativeSelect
          label={t('geography:parts.label')}
          value={state.activePart ?? ''}
          onChange={(event) => dispatch({ type: 'part', id: event.currentTarget.value })}
          data={parts.map((part, index) => ({
            value: part.id,
            label: t(`geography:parts.${part.kind}`, { number: index + 1 }),
          }))}
        />
      ) : null}
      {state.tool === 'merge' ? (
        <NativeSelect
          label={t('geography:tool.mergeWith')}
          value=""
          onChange={(event) => {
            if (event.currentTarget.value) dispatch({ type: 'merge', id: event.currentTarget.value })
          }}
          data={[
            { value: '', label: t('geography:tool.mergeChoose') },
            ...others.map((other) => ({ value: other.id, label: other.name })),
          ]}
        />
      ) : null}
      {part ? (
        <>
          <Button
            size="compact-sm"
            variant="subtle"
            justify="flex-start"
            aria-expanded={areCornersShown}
            onClick={() => setAreCornersShown(!areCornersShown)}
          >
            {t('map:editing.corners.title')}
          </Button>
          {areCornersShown ? (
            <CornerList
              part={part}
              onChange={(positions) => dispatch({ type: 'moved', part: part.id, positions })}
            />
          ) : null}
        </>
      ) : null}
    </section>
  )
}
