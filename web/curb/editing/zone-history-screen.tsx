import { Anchor, Text, TextInput } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type CurbChangeSet, type CurbZoneEdit, listCurbChangeSets } from '#contract/curb-edits.ts'
import { filterCurbPolicies } from '#contract/curb-regulations.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { page, searchParams, text } from '#web/shell/search-params.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import styles from './zone-history.module.css'

const historySearch = searchParams({ zone: text(), page })
const pageSize = 20
const maxPolicies = 1000
const isZoneId = (id: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)

/** The change sets of hand-drawn and edited zones: author, time and changes. */
export function ZoneHistoryScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const params = { region_id: region.regionId }
  const { search, push } = useSearchState(historySearch)
  const { page: pageNumber = 1, zone } = search
  const changeSets = useEndpointQuery(
    listCurbChangeSets,
    {
      params,
      query: { page: pageNumber, size: pageSize, ...(zone && isZoneId(zone) ? { curb_zone_id: zone } : {}) },
    },
    { placeholderData: keepPreviousData, staleTime: 0 },
  )
  const policies = useEndpointQuery(filterCurbPolicies, { params, body: { size: maxPolicies } }).data
  const names = useMemo(
    () =>
      new Map(
        (policies?.items ?? []).flatMap(({ published_policy_id: id, name }) => (id ? [[id, name]] : [])),
      ),
    [policies],
  )
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.curbZoneHistory')}
        context={
          <>
            <Anchor component={Link} underline="always" to={pagePath(region.regionId, 'curbZones')}>
              {t('shell:pages.curbZones')}
            </Anchor>
            {` · ${region.text}`}
          </>
        }
      />
      {zone || changeSets.data?.total ? (
        <TextInput
          label={t('curb:editing.history.zone')}
          description={t('curb:editing.history.zoneHint')}
          maw={420}
          mb="md"
          defaultValue={zone ?? ''}
          onChange={(event) => {
            const typed = event.currentTarget.value.trim()
            if (typed === '' || isZoneId(typed)) push({ zone: typed || undefined, page: undefined })
          }}
        />
      ) : null}
      <Loaded
        query={changeSets}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState title={t('curb:editing.history.none')} icon={<IconHistory />}>
            {t(zone ? 'curb:editing.history.noneOfZone' : 'curb:editing.history.noneText')}
          </EmptyState>
        }
      >
        {({ items, total }) => (
          <>
            <ol className={styles['sets']} aria-label={t('shell:pages.curbZoneHistory')}>
              {items.map((set) => (
                <ChangeSet key={set.change_set_id} set={set} names={names} timezone={region.timezone} />
              ))}
            </ol>
            <Pager page={pageNumber} size={pageSize} total={total} onPage={(next) => push({ page: next })} />
          </>
        )}
      </Loaded>
    </ReadingPage>
  )
}

/** Number of zones that are listed before the list is expanded. */
const maxListedEdits = 5

interface ChangeSetProps {
  set: CurbChangeSet
  names: ReadonlyMap<string, string>
  timezone: string
}

/** The changes of one save, with author, note and time. */
function ChangeSet({ set, names, timezone }: ChangeSetProps) {
  const { t } = useTranslation()
  const countTexts = (['created', 'changed', 'replaced', 'ended'] as const)
    .filter((kind) => set.counts[kind] > 0)
    .map((kind) =>
      t(`curb:editing.history.count.${kind}`, {
        count: set.counts[kind],
        shown: formatInteger(set.counts[kind]),
      }),
    )
  const firstEdits = set.edits.slice(0, maxListedEdits)
  const otherEdits = set.edits.slice(maxListedEdits)
  const renderEdits = (edits: readonly CurbZoneEdit[]) => (
    <ul className={styles['edits']}>
      {edits.map((edit) => (
        <li key={edit.curb_zone_id}>
          <ZoneEdit edit={edit} names={names} />
        </li>
      ))}
    </ul>
  )
  return (
    <li className={styles['set']}>
      <h2 className={styles['time']}>
        {t('policies:view.changedBy', { when: formatDateTime(set.time, timezone), who: set.by_email })}
      </h2>
      <Text size="sm" c="dimmed">
        {countTexts.join(', ')}
      </Text>
      {set.effective_time === null ? null : (
        <Text size="sm">
          {t('curb:regulations.history.effective', { time: formatDateTime(set.effective_time, timezone) })}
        </Text>
      )}
      {set.note ? <p className={styles['note']}>{set.note}</p> : null}
      {renderEdits(firstEdits)}
      {otherEdits.length ? (
        <details>
          <summary>{t('curb:editing.history.more', { count: otherEdits.length })}</summary>
          {renderEdits(otherEdits)}
        </details>
      ) : null}
    </li>
  )
}

function ZoneEdit({ edit, names }: { edit: CurbZoneEdit; names: ReadonlyMap<string, string> }) {
  const { t } = useTranslation()
  const place = [
    edit.street_name || t('curb:editing.unnamed'),
    edit.street_side === null ? null : t(`curb:regulations.side.${edit.street_side}`),
  ]
    .filter((part) => part !== null)
    .join(', ')
  const formatPolicies = (ids: readonly string[]): string => ids.map((id) => names.get(id) ?? id).join(', ')
  const fields = edit.fields.filter((field) => field !== 'curb_policy_ids')
  const details = [
    t(`curb:editing.history.act.${edit.act}`),
    fields.length ? fields.map((field) => t(`curb:editing.field.${field}`)).join(', ') : null,
    edit.policies_added.length
      ? t('curb:editing.history.added', { names: formatPolicies(edit.policies_added) })
      : null,
    edit.policies_removed.length
      ? t('curb:editing.history.removed', { names: formatPolicies(edit.policies_removed) })
      : null,
  ].filter((detail) => detail !== null)
  return (
    <>
      <b>{place}</b> {details.join(' · ')}
    </>
  )
}
