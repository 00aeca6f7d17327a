import { Button } from '@mantine/core'
import {
  IconChartBar,
  IconChevronLeft,
  IconFlask,
  IconPencil,
  IconWorldOff,
  IconWorldUpload,
} from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import { isMeasured } from '#contract/policy-types/is-measured.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import type { ListedPolicy } from '#contract/policies.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { PolicyForecast } from '#web/billing/fee-forecast.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { useShapes } from '#web/map-page/use-shapes.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { isPageEnabled } from '#web/shell/features.ts'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useAccessContext } from '#web/shell/use-access-context.ts'
import { PermissionHolders } from '#web/shell/permission-holders.tsx'
import { PublicPageField } from '#web/shell/public-page-links.tsx'
import { PolicyTestScreen } from './policy-test/policy-test-screen.tsx'
import type { PolicyAction } from './policy-actions.ts'
import { FeeNoticeDialog } from './fee-notice-dialog.tsx'
import { PolicyLoader } from './policy-loader.tsx'
import { maxLoadedShapes, toPolicyScope } from './policy-scope.ts'
import { hasDraftBeside } from './available-actions.ts'
import { policyMenu } from './policy-menu.ts'
import { complianceAddress, policyAddress, publicPolicyAddress } from './policy-address.ts'
import { PolicyActionDialog } from './policy-action-dialog.tsx'
import { PolicyFacts } from './policy-facts.tsx'
import { PolicyHistory } from './policy-history.tsx'
import { PolicyMap } from './policy-map.tsx'
import { formatPlaces } from './place-text.ts'
import { RateNotice, getRateStatus } from './rate-notice.tsx'
import { ruleWords } from './rule-words.ts'
import { StatusMark } from './status-mark.tsx'
import { usePolicyTextContext } from './use-policy-text-context.ts'
import styles from './view.module.css'

/** One policy: its scope, rule and history. */
export function PolicyScreen() {
  const { policyId = '' } = useParams({ strict: false }) as { policyId?: string }
  const isTesting = useSearch({ strict: false, select: (search: { try?: unknown }) => search.try === true })
  const navigate = useNavigate()
  const close = (): void => void navigate({ to: '.', search: {} as never })
  return (
    <PolicyLoader key={policyId} id={policyId}>
      {(policy) =>
        isTesting ? <PolicyTestScreen policy={policy} onClose={close} /> : <PolicyDetails policy={policy} />
      }
    </PolicyLoader>
  )
}

function PolicyDetails({ policy }: { policy: ListedPolicy }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const navigate = useNavigate()
  const region = useRegion()
  const context = usePolicyTextContext()
  const at = useOpenedAt()
  const [dialog, setDialog] = useState<PolicyAction | null>(null)
  const layers = useEndpointQuery(listLayers, { params: { region_id: region.regionId } }).data?.items ?? null
  const scope = useMemo(() => toPolicyScope(policy, layers ?? [], false), [policy, layers])
  const shapes = useShapes(
    scope.layer && scope.layer.shape_count <= maxLoadedShapes ? scope.layer : null,
  ).data
  const shapeNames =
    policy.shape_uuids.length && shapes
      ? shapes
          .filter(({ shape_uuid: id }) => policy.shape_uuids.includes(id))
          .map(({ shape_name: name }) => name)
      : null
  const libraryPath = pagePath(region.regionId, 'policies')
  const rates = findPolicyType(policy.policy_type) ? null : getRateStatus(policy, region.currencyCode)
  const isFee = findPolicyType(policy.policy_type)?.isFee ?? rates?.isCharged ?? false
  return (
    <ReadingPage>
      <Link className={styles['back']} to={libraryPath}>
        <IconChevronLeft size={16} aria-hidden="true" />
        {t('policies:edit.back')}
      </Link>
      <PageHeader
        title={policy.policy_name}
        context={<StatusMark policy={policy} />}
        actions={
          <PolicyActions
            policy={policy}
            canEdit={can('edit_policy')}
            canTryFees={isFee && !rates}
            onAction={setDialog}
          />
        }
      />
      {policy.published || hasDraftBeside(policy) ? (
        <PublicPageField address={publicPolicyAddress(region.regionId, policy.constant_policy_uuid)} />
      ) : null}
      {policy.published ? null : <PermissionHolders regionId={region.regionId} permission="edit_policy" />}
      {hasDraftBeside(policy) ? <p className={styles['draft']}>{t('policies:view.draftBeside')}</p> : null}
      <div className={styles['top']}>
        <RuleAndDetails policy={policy} context={context} shapeNames={shapeNames} rates={rates} />
        <section className={`${styles['part']} ${styles['map']}`} aria-label={t('policies:edit.map')}>
          <PolicyMap region={region} layers={layers} scope={scope} at={at} />
        </section>
      </div>
      {isFee && policy.published ? (
        <section className={styles['part']} aria-labelledby="fees">
          <h2 id="fees" className={styles['partTitle']}>
            {t('billing:forecast.title')}
          </h2>
          <PolicyForecast
            constantPolicyId={policy.constant_policy_uuid}
            operatorName={context.operatorName}
          />
        </section>
      ) : null}
      <section className={styles['part']} aria-labelledby="history">
        <h2 id="history" className={styles['partTitle']}>
          {t('policies:view.history')}
        </h2>
        <PolicyHistory
          constantId={policy.constant_policy_uuid}
          context={context}
          timezone={region.timezone}
        />
      </section>
      {dialog ? (
        <PolicyActionDialog
          action={dialog}
          policy={policy}
          region={region}
          onClose={() => setDialog(null)}
          onDone={dialog === 'delete' ? () => void navigate({ to: libraryPath }) : undefined}
        />
      ) : null}
      <FeeNoticeDialog />
    </ReadingPage>
  )
}

interface PolicyActionsProps {
  policy: ListedPolicy
  canEdit: boolean
  /** Whether the fees of another draft can be tried. */
  canTryFees: boolean
  onAction: (action: PolicyAction) => void
}

/** Links to results, and what an editor may do. */
function PolicyActions({ policy, canEdit, canTryFees, onAction }: PolicyActionsProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  if (!canEdit) return <ResultLinks policy={policy} />
  return (
    <>
      <ResultLinks policy={policy} />
      {canTryFees ? (
        <Button
          variant="default"
          component={Link}
          to={policyAddress(regionId, policy.constant_policy_uuid, 'edit')}
          search={{ try: true } as never}
          leftSection={<IconFlask size={18} />}
        >
          {t('billing:try.open')}
        </Button>
      ) : null}
      {findPolicyType(policy.policy_type) ? (
        <Button
          variant="default"
          component={Link}
          to={policyAddress(regionId, policy.constant_policy_uuid, 'edit')}
          leftSection={<IconPencil size={18} />}
        >
          {t('policies:acts.edit')}
        </Button>
      ) : null}
      {policy.published ? (
        <Button
          variant="default"
          leftSection={<IconWorldOff size={18} />}
          onClick={() => onAction('unpublish')}
        >
          {t('policies:acts.unpublish')}
        </Button>
      ) : (
        <Button leftSection={<IconWorldUpload size={18} />} onClick={() => onAction('publish')}>
          {t('policies:acts.publish')}
        </Button>
      )}
      <RowMenu {...policyMenu(t, policy, true, onAction)} />
    </>
  )
}

/** Links to the compliance of a measured policy, and to its test on past days. */
function ResultLinks({ policy }: { policy: ListedPolicy }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const access = useAccessContext()
  if (!isMeasured(policy)) return null
  return (
    <>
      {access && isPageEnabled(access, 'complianceDetail') ? (
        <Button
          variant="default"
          component={Link}
          to={complianceAddress(regionId, policy.constant_policy_uuid)}
          leftSection={<IconChartBar size={18} />}
        >
          {t('shell:pages.compliance')}
        </Button>
      ) : null}
      <Button
        variant="default"
        component={Link}
        to="."
        search={{ try: true } as never}
        leftSection={<IconFlask size={18} />}
      >
        {t('compliance:try.open')}
      </Button>
    </>
  )
}

interface RuleAndDetailsProps {
  policy: ListedPolicy
  context: ReturnType<typeof usePolicyTextContext>
  /** Names of the shapes to which the policy applies, if they are loaded. */
  shapeNames: readonly string[] | null
  rates: ReturnType<typeof getRateStatus>
}

/** The rule in words, and the fields of the policy. */
function RuleAndDetails({ policy, context, shapeNames, rates }: RuleAndDetailsProps) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  return (
    <div>
      <section className={styles['part']} aria-labelledby="rule">
        <h2 id="rule" className={styles['partTitle']}>
          {t('policies:view.rule')}
        </h2>
        <ul className={styles['rule']}>
          {ruleWords(
            policy,
            shapeNames ? { ...context, place: formatPlaces(shapeNames, context) } : context,
          ).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {rates ? <RateNotice faults={rates.faults} isCharged={rates.isCharged} /> : null}
      </section>
      <section className={styles['part']} aria-labelledby="details">
        <h2 id="details" className={styles['partTitle']}>
          {t('policies:view.details')}
        </h2>
        <PolicyFacts policy={policy} context={context} timezone={timezone} shapeNames={shapeNames} />
      </section>
    </div>
  )
}
