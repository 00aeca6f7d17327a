import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { IssueStatus } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { ByDayField } from '#web/map-page/time/by-day-field.tsx'
import { selectedPeriod } from '#web/filters/period.ts'
import type { Filter } from '#web/filters/filter.ts'
import { FilterFields } from '#web/filters/filter-fields.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { formatHourRange } from './issue-text.ts'
import { colorings, issueExtras, type IssuesSearch, measures, resolutionChoices } from './issues-search.ts'
import { TypesField } from './types-field.tsx'
import type { useIssues } from './use-issues.ts'

interface Props {
  region: Region
  today: LocalDay
  scheme: Scheme
  search: IssuesSearch
  change: (changes: Partial<IssuesSearch>) => void
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
  issues: { types: dataDays, choices, options, layer, shapes },
}: Props) {
  const { t } = useTranslation()
  const { status } = search
  const setFilters = (changes: Partial<IssuesSearch>): void => change({ ...changes, page: undefined })
  const isByShape = search.show === 'shapes'
  const filters = getQuestionFilters({
    t,
    today,
    search,
    dataDays,
    choices,
    onTypes: (selected) => setFilters({ types: selected }),
  })
  return (
    <>
      <FilterFields
        filters={getDisplayFilters({ t, search, change, options, layer, shapes })}
        state={search}
        onChange={change}
      />
      <FilterFields
        filters={filters}
        state={search}
        onChange={(changes: Partial<IssuesSearch>) =>
          // Open issues have no resolution time, so the combination would match nothing.
          setFilters(
            changes.resolution_time !== undefined && status === 'open'
              ? { ...changes, status: undefined }
              : changes,
          )
        }
      />
      {isByShape ? (
        <FilterFields
          filters={[{ kind: 'colors', palettes: dataColors[scheme].sequential }]}
          state={search}
          onChange={change}
        />
      ) : null}
      <ByDayField
        region={region}
        period={selectedPeriod(search, today)}
        search={search}
        change={change}
        extras={issueExtras}
      />
    </>
  )
}

interface DisplayFilters
  extends Pick<Props, 'search' | 'change'>, Pick<Props['issues'], 'options' | 'layer' | 'shapes'> {
  t: TFunction
}

/** Returns filters for how issues are shown: as points or by shape, and the meaning of the colors. */
function getDisplayFilters({ t, search, change, options, layer, shapes }: DisplayFilters): Filter[] {
  const showField: Filter = {
    kind: 'custom',
    key: 'show',
    field: (
      <SegmentedControl
        fullWidth
        aria-label={t('issues:show.label')}
        value={search.show ?? 'points'}
        data={(['points', 'shapes'] as const).map((option) => ({
          value: option,
          label: t(`issues:show.${option}`),
        }))}
        onChange={(selected) => change({ show: selected === 'shapes' ? 'shapes' : undefined })}
      />
    ),
  }
  const detailFields: Filter[] =
    search.show === 'shapes'
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
  return [showField, ...detailFields]
}

interface QuestionFilters extends Pick<Props, 'today' | 'search'> {
  t: TFunction
  /** The first and last day with issues. */
  dataDays: Props['issues']['types']
  choices: Props['issues']['choices']
  onTypes: (types: string[] | undefined) => void
}

/** Returns filters for which issues are shown. */
function getQuestionFilters({ t, today, search, dataDays, choices, onTypes }: QuestionFilters): Filter[] {
  const { show, types, status, resolution_time } = search
  const matchingTypes = (choices ?? []).filter(({ service_code }) => !types || types.includes(service_code))
  const countByStatus = {
    open: matchingTypes.reduce((sum, { open }) => sum + open, 0),
    closed: matchingTypes.reduce((sum, { closed }) => sum + closed, 0),
  }
  // A range from the URL that is not among the choices is offered too.
  const hourRanges = [
    ...resolutionChoices,
    ...(resolution_time && !resolutionChoices.some((choice) => choice === resolution_time)
      ? [resolution_time]
      : []),
  ]
  const formatWithCount = (text: string, count: number): string =>
    t('issues:status.of', { text, shown: formatInteger(count) })
  return [
    { kind: 'period', today, subject: 'none' },
    ...(show === 'shapes' ? [{ kind: 'compare', today, dataDays, isMap: true } as const] : []),
    {
      kind: 'custom',
      key: 'types',
      field: <TypesField types={choices ?? []} status={status} value={types ?? []} onChange={onTypes} />,
    },
    {
      kind: 'choice',
      key: 'status',
      label: t('issues:status.label'),
      none: formatWithCount(t('issues:status.any'), countByStatus.open + countByStatus.closed),
      options: statuses.map((value) => ({
        value,
        text: formatWithCount(t(`issues:status.${value}`), countByStatus[value]),
      })),
    },
    {
      kind: 'choice',
      key: 'resolution_time',
      label: t('issues:resolution.label'),
      description: t('issues:resolution.hint'),
      none: t('issues:resolution.any'),
      options: hourRanges.map((value) => ({ value, text: formatHourRange(t, value) })),
    },
  ]
}
