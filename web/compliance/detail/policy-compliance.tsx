import { useTranslation } from 'react-i18next'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { StoredPolicy } from '#contract/policies.ts'
import { type LocalDay } from '#contract/period.ts'
import { defaultCompliancePeriod } from '#contract/compliance.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { selectedPeriod, periodState, formatPeriod, type Period } from '#web/filters/period.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { ruleWords } from '#web/policies/rule-words.ts'
import { StatusMark } from '#web/policies/status-mark.tsx'
import { formatPolicyType } from '#web/policies/type-text.ts'
import { usePolicyTextContext } from '#web/policies/use-policy-text-context.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { DeletedMark } from '#web/policies/results/deleted-mark.tsx'
import { useOfferedOperators } from '#web/policies/use-offered-operators.ts'
import { pagePath } from '#web/shell/pages.ts'
import { AlertsButton } from '../alerts/alerts-button.tsx'
import { detailSearch } from '../compliance-search.ts'
import { ComplianceReport } from '../report/compliance-report.tsx'
import styles from './detail.module.css'
import { DetailBody } from './detail-body.tsx'
import { DetailTools } from './detail-tools.tsx'
import { usePolicyCompliance } from './use-policy-compliance.ts'

/** A link to the summary of the same days. */
function BackLink({ regionId, period, today }: { regionId: string; period: Period; today: LocalDay }) {
  const { t } = useTranslation()
  return (
    <Link
      className={styles['back']}
      to={pagePath(regionId, 'compliance')}
      search={periodState(period, today, defaultCompliancePeriod) as never}
    >
      <IconChevronLeft size={16} aria-hidden="true" />
      {t('shell:pages.compliance')}
    </Link>
  )
}

/** Compliance with a policy by day and operator, with reasons, map and facts. */
export function PolicyCompliance({ policy }: { policy: StoredPolicy }) {
  const { t, i18n } = useTranslation()
  const region = useRegion()
  const context = usePolicyTextContext()
  const { search, push: change, replace: adjust } = useSearchState(detailSearch)
  const at = useOpenedAt()
  const today = useToday(region.timezone)
  const period = selectedPeriod(search, today, defaultCompliancePeriod)
  const compliance = usePolicyCompliance({
    regionId: region.regionId,
    policyId: policy.policy_uuid,
    period,
    search,
  })
  const { records, tallies } = compliance
  const options = useOfferedOperators(policy, region.regionId, search.operators ?? [])
  const emptyState = (
    <EmptyState title={t('compliance:noRecords.title')}>{t('compliance:noRecords.text')}</EmptyState>
  )
  if (search.report && records.data)
    return (
      <ComplianceReport
        policy={policy}
        region={region}
        context={context}
        period={period}
        operators={search.operators ?? []}
        records={records.data}
        tallies={tallies}
        days={compliance.days}
        at={at}
        options={options}
        onOperators={(operators) =>
          change({ operators, operator: undefined, date: undefined, page: undefined })
        }
        onClose={() => change({ report: undefined })}
      />
    )
  return (
    <ReadingPage>
      <BackLink regionId={region.regionId} period={period} today={today} />
      <PageHeader
        title={policy.policy_name}
        context={
          <span className={styles['filter']}>
            {formatPolicyType(t, policy.policy_type)} · {formatPeriod(period, i18n.language)}{' '}
            {policy.is_deleted ? <DeletedMark /> : <StatusMark policy={policy} />}
          </span>
        }
        actions={
          <AlertsButton
            regionId={region.regionId}
            timezone={region.timezone}
            policy={policy.published_policy_uuid === null ? undefined : policy}
          />
        }
      />
      <DetailTools
        policy={policy}
        regionId={region.regionId}
        context={context}
        search={search}
        change={change}
        period={period}
        today={today}
        records={records.data ?? []}
      />
      <ul className={styles['rule']}>
        {ruleWords(policy, context).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Loaded
        query={{ ...records, isFetching: records.isPlaceholderData }}
        isEmpty={(all) => all.length === 0}
        empty={emptyState}
      >
        {(all) => (
          <DetailBody
            policy={policy}
            region={region}
            context={context}
            compliance={compliance}
            records={all}
            search={search}
            change={change}
            adjust={adjust}
            period={period}
            at={at}
          />
        )}
      </Loaded>
    </ReadingPage>
  )
}
