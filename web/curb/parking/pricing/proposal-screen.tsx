import { Button, Text } from '@mantine/core'
import { IconCheck, IconChevronLeft, IconX } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getPriceProposal, type PriceProposalDetail } from '#contract/curb-price-proposals.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatMediumDay } from '#web/kit/dates/calendar-text.ts'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { ApproveDialog, WithdrawDialog } from './decide-dialogs.tsx'
import { PricingSummary } from './pricing-summary.tsx'
import styles from './pricing.module.css'
import { EffectTable } from './effect-table.tsx'
import { ProposalFindings } from './proposal-findings.tsx'
import { ProposalRows } from './proposal-rows.tsx'

/** One proposal: its rows and edits, violated limits, approval, notice and effect. */
export function ProposalScreen() {
  const { proposalId = '' } = useParams({ strict: false }) as { proposalId?: string }
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const response = useEndpointQuery(
    getPriceProposal,
    { params: { region_id: regionId, proposal_id: proposalId } },
    { staleTime: 0 },
  )
  return (
    <ReadingPage>
      <Link
        className={styles['back']}
        to={pagePath(regionId, 'pricingEngine')}
        search={{ mode: 'proposals' }}
      >
        <IconChevronLeft size={16} aria-hidden="true" />
        {t('curb:pricing.proposal.back')}
      </Link>
      <Loaded query={response}>{(proposal) => <Proposal key={proposalId} proposal={proposal} />}</Loaded>
    </ReadingPage>
  )
}

/** The parts of a proposal, and the dialogs of the decision. */
function Proposal({ proposal }: { proposal: PriceProposalDetail }) {
  const { t, i18n } = useTranslation()
  const { can } = useMe()
  const region = useRegion()
  const [dialog, setDialog] = useState<'approve' | 'withdraw' | null>(null)
  const { status, parameters, findings, skipped, steps } = proposal
  const hasErrors = findings.some(({ severity }) => severity === 'error')
  const isOpen = status === 'open'
  const canDecide = can('approve_curb_prices')
  return (
    <>
      <PageHeader
        title={proposal.name}
        context={
          <>
            <span className={styles['mark']} data-status={status}>
              {t(`curb:pricing.status.${status}`)}
            </span>{' '}
            {t('curb:pricing.proposal.effective', {
              day: formatMediumDay(proposal.effective_date, i18n.language),
              changes: formatInteger(proposal.changes),
              rows: formatInteger(proposal.rows),
            })}
          </>
        }
        actions={
          canDecide && (isOpen || status === 'approved') ? (
            <>
              <Button
                variant="default"
                leftSection={<IconX size={18} />}
                onClick={() => setDialog('withdraw')}
              >
                {t('curb:pricing.proposal.withdraw')}
              </Button>
              {isOpen ? (
                <Button
                  leftSection={<IconCheck size={18} />}
                  disabled={hasErrors}
                  onClick={() => setDialog('approve')}
                >
                  {t('curb:pricing.proposal.approve')}
                </Button>
              ) : null}
            </>
          ) : null
        }
      />
      <div className={styles['layout']}>
        {isOpen ? (
          <section className={styles['section']} aria-labelledby="limits">
            <h2 id="limits">{t('curb:pricing.proposal.check')}</h2>
            {findings.length ? (
              <ProposalFindings proposal={proposal} />
            ) : (
              <Text>{t('curb:pricing.proposal.checked')}</Text>
            )}
          </section>
        ) : null}
        {parameters.kinds.includes('paid') && parameters.paid_reason ? (
          <Text>{t('curb:pricing.proposal.paid', { reason: parameters.paid_reason })}</Text>
        ) : null}
        <PricingSummary summary={proposal.summary} parameters={parameters} regionName={region.text} />
        <ProposalRows proposal={proposal} region={region} canEdit={isOpen && can('edit_curb_regulations')} />
        {skipped.length ? (
          <section className={styles['section']} aria-labelledby="skipped">
            <h2 id="skipped">{t('curb:pricing.proposal.skipped')}</h2>
            <ul>
              {skipped.map((zone) => (
                <li key={zone.curb_zone_id}>
                  {zone.shape_name}: {zone.reason}
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {status === 'in_force' ? <EffectTable proposal={proposal} region={region} /> : null}
        <section className={styles['section']} aria-labelledby="history">
          <h2 id="history">{t('policies:view.history')}</h2>
          <ul>
            {steps.toReversed().map((step) => (
              <li key={`${step.time} ${step.act}`}>
                {t(`curb:pricing.act.${step.act}`)} · {formatDateTime(step.time, region.timezone)}
                {step.by_email ? ` · ${step.by_email}` : ''}
                {step.note ? <span className={styles['sub']}>{step.note}</span> : null}
              </li>
            ))}
          </ul>
        </section>
      </div>
      {dialog === 'approve' ? <ApproveDialog proposal={proposal} onClose={() => setDialog(null)} /> : null}
      {dialog === 'withdraw' ? <WithdrawDialog proposal={proposal} onClose={() => setDialog(null)} /> : null}
    </>
  )
}
