import { formatNumber, formatWhole } from '#web/kit/format.ts'
import type { EvaluationUnit } from './evaluation.ts'

/** A value as its unit is read: whole things whole, the rest with one digit. */
export const formatValue = (value: number | null | undefined, unit: EvaluationUnit): string => (unit === 'count' ? formatWhole(value) : formatNumber(value, 1))
