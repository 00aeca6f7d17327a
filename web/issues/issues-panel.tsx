import { SegmentedControl, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { IssueStatus } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import { ColorField } from '#web/filters/color-field.tsx'
import { CompareField } from '#web/filters/compare-field.tsx'
import { LayerField } from '#web/filters/layer-field.tsx'
import { PeriodField } from '#web/filters/period-field.tsx'
import { ShapeField } from '#web/filters/shape-field.tsx'
import { chosenPeriod, periodState } from '#web/filters/period.ts'
import { formatInteger } from '#web/kit/format.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { hoursText } from './issue-text.ts'
import { colorings, type IssuesSearch, measures, resolutionChoices } from './issues-search.ts'
import { TypesField } from './types-field.tsx'
import type { useIssues } from './use-issues.ts'

interface Props {
  today: LocalDay
  scheme: Scheme
  search: IssuesSearch
  change: (part: Partial<IssuesSearch>) => void
  issues: Pick<ReturnType<typeof useIssues>, 'choices' | 'options' | 'layer' | 'shapes'>
}

const every = 'any'
const statuses: readonly IssueStatus[] = ['open', 'closed']

/** What of the issues is shown, and how. Another filter begins with the first page. */
export function IssuesPanel({
  today,
  scheme,
  search,
  change,
  issues: { choices, options, layer, shapes },
}: Props) {
  const { t } = useTranslation()
  const { show, color = 'status', measure = 'count', types, status, resolution_time } = search
  const filter = (part: Partial<IssuesSearch>): void => change({ ...part, page: undefined })
  const found = (choices ?? []).filter(({ service_code }) => !types || types.includes(service_code))
  const numbers = {
    open: found.reduce((sum, { open }) => sum + open, 0),
    closed: found.reduce((sum, { closed }) => sum + closed, 0),
  }
  const hours = [
    ...resolutionChoices,
    ...(resolution_time && !resolutionChoices.some((each) => each === resolution_time)
      ? [resolution_time]
      : []),
  ]
  return (
    <>
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
      {show === 'shapes' ? (
        <>
          <Select
            label={t('issues:measure.label')}
            allowDeselect={false}
            value={measure}
            data={measures.map((each) => ({ value: each, label: t(`issues:measure.${each}.name`) }))}
            onChange={(chosen) => change({ measure: measures.find((each) => each === chosen) })}
          />
          <LayerField
            options={options}
            value={layer}
            onChange={(chosen) =>
              change({
                layer: chosen === options[0]?.shape_layer_uuid ? undefined : chosen,
                shape: undefined,
              })
            }
          />
          <ShapeField shapes={shapes ?? []} value={search.shape} onChange={(shape) => change({ shape })} />
        </>
      ) : (
        <Select
          label={t('issues:color.label')}
          allowDeselect={false}
          value={color}
          data={colorings.map((each) => ({ value: each, label: t(`issues:color.${each}`) }))}
          onChange={(chosen) => change({ color: colorings.find((each) => each === chosen) })}
        />
      )}
      <PeriodField
        value={chosenPeriod(search, today)}
        today={today}
        onChange={(period) => filter(periodState(period, today))}
      />
      {show === 'shapes' ? (
        <CompareField search={search} period={chosenPeriod(search, today)} today={today} change={change} />
      ) : null}
      <TypesField
        types={choices ?? []}
        status={status}
        value={types ?? []}
        onChange={(chosen) => filter({ types: chosen })}
      />
      <Select
        label={t('issues:status.label')}
        allowDeselect={false}
        value={status ?? every}
        data={[
          {
            value: every,
            label: t('issues:status.of', {
              text: t('issues:status.any'),
              shown: formatInteger(numbers.open + numbers.closed),
            }),
          },
          ...statuses.map((each) => ({
            value: each,
            label: t('issues:status.of', {
              text: t(`issues:status.${each}`),
              shown: formatInteger(numbers[each]),
            }),
          })),
        ]}
        onChange={(chosen) => filter({ status: statuses.find((each) => each === chosen) })}
      />
      <Select
        label={t('issues:resolution.label')}
        description={t('issues:resolution.hint')}
        allowDeselect={false}
        value={resolution_time ?? every}
        data={[
          { value: every, label: t('issues:resolution.any') },
          ...hours.map((each) => ({ value: each, label: hoursText(t, each) })),
        ]}
        // What is open has none: it would find nothing.
        onChange={(chosen) =>
          filter(
            chosen === null || chosen === every
              ? { resolution_time: undefined }
              : { resolution_time: chosen, ...(status === 'open' ? { status: undefined } : {}) },
          )
        }
      />
      {show === 'shapes' ? (
        <ColorField
          scheme={scheme}
          value={search.colors ?? 'tide'}
          onChange={(colors) => change({ colors })}
        />
      ) : null}
    </>
  )
}
