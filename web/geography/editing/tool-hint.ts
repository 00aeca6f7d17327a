import type { TFunction } from 'i18next'
import type { Geometry } from '#contract/place.ts'
import { formatLength } from '#web/kit/format.ts'
import { formatArea } from '../format-measure.ts'
import { measure } from '../geometry/measure.ts'
import type { EditState } from './edit-state.ts'
import type { Subject } from '../geometry/area-operations.ts'

/** Instructions for the active tool, and the size of what has been drawn. */
export function toolHint(
  t: TFunction,
  { tool }: EditState,
  subject: Subject | null,
  sketch: Geometry | null,
  isMetric: boolean,
): string | null {
  if (tool === 'select') return null
  if ((tool === 'split' || tool === 'cut' || tool === 'merge') && subject === null)
    return t('geography:hint.chooseFirst')
  const instruction = t(`geography:hint.${tool}`)
  const { area, length } = sketch ? measure(sketch) : { area: null, length: null }
  const size =
    area !== null && area > 0
      ? formatArea(area, isMetric)
      : length !== null && length > 0
        ? formatLength(length, isMetric)
        : null
  return size === null ? instruction : `${instruction} · ${size}`
}
