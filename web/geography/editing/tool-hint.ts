import type { TFunction } from 'i18next'
import type { Geometry } from '#contract/place.ts'
import { formatLength } from '#web/kit/format.ts'
import { formatArea } from '../format-measure.ts'
import { measure } from '../geometry/measure.ts'
import type { Tool } from './edit-state.ts'
import type { Subject } from '../geometry/area-operations.ts'

interface HintContext {
  tool: Tool
  /** The selected shape, if it is a single one. */
  subject: Subject | null
  /** What has been drawn so far. */
  sketch: Geometry | null
  isMetric: boolean
}

/** Instructions for the active tool, and the size of what has been drawn. */
export function toolHint(t: TFunction, { tool, subject, sketch, isMetric }: HintContext): string | null {
  if (tool === 'select') return null
  if ((tool === 'split' || tool === 'cut' || tool === 'merge') && subject === null)
    return t('geography:hint.chooseFirst')
  const instruction = t(`geography:hint.${tool}`)
  const { area, length } = sketch ? measure(sketch) : { area: null, length: null }
  if (area !== null && area > 0) return `${instruction} · ${formatArea(area, isMetric)}`
  if (length !== null && length > 0) return `${instruction} · ${formatLength(length, isMetric)}`
  return instruction
}
