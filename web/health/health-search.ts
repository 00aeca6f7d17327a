import { type HealthFigureName, healthFigureNames } from '#contract/health-figures.ts'

/** What the address bar of the page holds. */
export interface HealthSearch {
  /** The operator whose details are open; without it the one with the most to say. */
  operator?: string | undefined
  start_date?: string | undefined
  end_date?: string | undefined
  /** The figure whose rows are open, and which page of them. */
  figure?: HealthFigureName | undefined
  page?: number | undefined
}

const day = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const isFigure = (value: unknown): value is HealthFigureName =>
  typeof value === 'string' && (healthFigureNames as readonly string[]).includes(value)

export const healthSearch = ({
  operator,
  start_date,
  end_date,
  figure,
  page,
}: Record<string, unknown>): HealthSearch => ({
  ...((typeof operator === 'string' && operator !== '') || typeof operator === 'number'
    ? { operator: String(operator) }
    : {}),
  ...(day(start_date) && day(end_date) && start_date <= end_date ? { start_date, end_date } : {}),
  ...(isFigure(figure) ? { figure } : {}),
  ...(isFigure(figure) && typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
})

/** Days as the server is asked for them: none where they are the usual ones. */
export const periodAsk = ({
  start_date,
  end_date,
}: HealthSearch): { start_date?: string; end_date?: string } =>
  start_date && end_date ? { start_date, end_date } : {}
