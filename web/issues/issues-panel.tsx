import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { IssueStatus } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { ByDayField } from '#web/map-page/time/by-day-field.tsx'
import { chosenPeriod } from '#web/filters/period.ts'
import type { Filter } from '#web/filters/filter.ts'
import { FilterFields } from '#web/filters/filter-fields.tsx'
import { formatInteger } from '#web/kit/format.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { hoursText } from './issue-text.ts'
import { colorings, issueExtras, type IssuesSearch, measures, resolutionChoices } from './issues-search.ts'
import { TypesField } from './types-field.tsx'
import type { useIssues } from './use-issues.ts'

interface Props {
  region: Region
  today: LocalDay
  scheme: Scheme
  search: IssuesSearch
  change: (part: Partial<IssuesSearch>) => void
  issues: Pick<ReturnType<typeof useIssues>, 'types' | 'choices' | 'options' | 'layer' | 'shapes'>
}

const statuses: readonly IssueStatus[] = ['open', 'closed']

/** Filters and colors of issues. A changed filter returns to the first page. */
export function IssuesPanel({
  region,
  today,
  scheme,
  search,
  change,
  issues: { types: known, choices, options, layer, shapes },
}: Props) {
  const { t } = useTranslation()
  const { show, types, status, resolution_time } = search
  const filter = (part: Partial<IssuesSearch>): void => change({ ...part, page: undefined })
  const matchingTypes = (choices ?? []).filter(({ service_code }) => !types || types.includes(service_code))
  const numbers = {
    open: matchingTypes.reduce((sum, { open }) => sum + open, 0),
    closed: matchingTypes.reduce((sum, { closed }) => sum + closed, 0),
  }
  const hours = [
    ...resolutionChoices,
    ...(resolution_time && !resolutionChoices.some((each) => each === resolution_time)
      ? [resolution_time]
      : []),
  ]
  const isShapes = show === 'shapes'
  const countText = (text: string, count: number): string =>
    t('issues:status.of', { text, shown: formatInteger(count) })
  const shown: Filter = {
    kind: 'custom',
    key: 'show',
    field: (
      <SegmentedControl
        fullWidth
        aria-label={t('issues:show.label')}
        value={show ?? 'points'}
        data={(['points', 'shapes'] as const).map((each) => ({
          value: each,
          label: t(`issues:show.${each}`),
        }))}
        onChange={(chosen) => change({ show: chosen === 'shapes' ? 'shapes' : undefined })}
      />
    ),
  }
  const shownAs: Filter[] = isShapes
    ? [
        {
          kind: 'choice',
          key: 'measure',
          label: t('issues:measure.label'),
          defaultValue: 'count',
          options: measures.map((value) => ({ value, text: t(`issues:measure.${value}.name`) })),
        },
        { kind: 'layer', layers: options, layer },
        { kind: 'shape', shapes: shapes ?? [] },
      ]
    : [
        {
          kind: 'choice',
          key: 'color',
          label: t('issues:color.label'),
          defaultValue: 'status',
          options: colorings.map((value) => ({ value, text: t(`issues:color.${value}`) })),
        },
      ]
  const filters: Filter[] = [
    { kind: 'period', today, rows: 'none' },
    ...(isShapes ? [{ kind: 'compare', today, dataDays: known, isMap: true } as const] : []),
    {
      kind: 'custom',
      key: 'types',
      field: (
        <TypesField
          types={choices ?? []}
          status={status}
          value={types ?? []}
          onChange={(chosen) => filter({ types: chosen })}
        />
      ),
    },
    {
      kind: 'choice',
      key: 'status',
      label: t('issues:status.label'),
      none: countText(t('issues:status.any'), numbers.open + numbers.closed),
      options: statuses.map((value) => ({
        value,
        text: countText(t(`issues:status.${value}`), numbers[value]),
      })),
    },
    {
      kind: 'choice',
      key: 'resolution_time',
      label: t('issues:resolution.label'),
      description: t('issues:resolution.hint'),
      none: t('issues:resolution.any'),
      options: hours.map((value) => ({ value, text: hoursText(t, value) })),
    },
  ]
  return (
    <>
      <FilterFields filters={[shown, ...shownAs]} state={search} onChange={change} />
      <FilterFields
        filters={filters}
        state={search}
        onChange={(part: Partial<IssuesSearch>) =>
          // Open issues have no resolution time, so the combination would match nothing.
          filter(
            part.resolution_time !== undefined && status === 'open' ? { ...part, status: undefined } : part,
          )
        }
      />
      {isShapes ? (
        <FilterFields filters={[{ kind: 'colors', scheme }]} state={search} onChange={change} />
      ) : null}
      <ByDayField
        region={region}
        period={chosenPeriod(search, today)}
        search={search}
        change={change}
        extras={issueExtras}
      />
    </>
  )
}
