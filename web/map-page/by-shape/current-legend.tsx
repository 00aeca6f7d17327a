import { useTranslation } from 'react-i18next'
import type { BinColors } from '#web/kit/theme.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import type { Explanation } from './evaluation.ts'
import { formatValue } from './format-value.ts'
import { layerInSentence } from '../layer-options.ts'
import { HeatLegend } from './heat-legend.tsx'
import { Legend } from './legend.tsx'
import { getLegendFigures } from './legend-figures.ts'
import { getShownChange, type ShownMap } from './shown-map.ts'
import { usePainting } from './use-painting.ts'
import { useCurrentEvaluation } from './use-current-evaluation.ts'

interface Props {
  map: ShownMap
  heading: string
  unitText: string
  /** The explanation of figures, with the current numbers. */
  explanation: Pick<Explanation, 'definition' | 'period' | 'buffer'>
  ramp: BinColors
  heat: { points: number | null; text: string } | null
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** The legend of the current state. During a playback, only it, the axis and the table render at each step. */
export function CurrentLegend({ map, heading, unitText, explanation, ramp, heat, isOpen, onOpen }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const evaluation = useCurrentEvaluation(map.evaluation, map.playing)
  const { now: painting } = usePainting(map, evaluation, ramp, scheme)
  if (!evaluation) return null
  const isChange = getShownChange(map) !== null
  return (
    <Legend
      title={heading}
      unit={unitText}
      figures={getLegendFigures(t, evaluation, map.comparison, layerInSentence(map.layer))}
      sum={
        evaluation.sum && !isChange
          ? { amounts: evaluation.sum, format: (value) => formatValue(value, evaluation.unit) }
          : null
      }
      explanation={{
        ...explanation,
        ways: evaluation.ways,
        method: evaluation.method,
        days: evaluation.days,
        milliseconds: evaluation.milliseconds,
        from: evaluation.from,
      }}
      rows={painting.legend}
      colors={ramp}
      replacement={
        heat && map.mode ? (
          <HeatLegend map={map.mode.key} text={heat.text} colors={ramp} points={heat.points} />
        ) : null
      }
      isOpen={isOpen}
      onOpen={onOpen}
    />
  )
}
