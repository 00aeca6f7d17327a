import { Button, Stack, Text, Title } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  exportInvoice,
  getInvoice,
  getInvoiceFacts,
  getInvoiceFactsParquet,
  getInvoiceLines,
  getInvoicePdf,
  type Invoice,
  refreshInvoice,
} from '#contract/invoices.ts'
import { useToday } from '#web/filters/use-today.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { Badge } from '#web/kit/badge.tsx'
import { ActionMenu } from '#web/kit/action-menu.tsx'
import { DownloadButton } from '#web/kit/download-button.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import styles from '../billing.module.css'
import { invoiceName } from '../invoice-columns.tsx'
import { PaymentDialog } from '../payments/payment-dialog.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { usePayers } from '../use-payers.ts'
import { CountDialog } from './count-dialog.tsx'
import { CreditDialog } from './credit-dialog.tsx'
import { Disputes } from './disputes.tsx'
import { ApproveDialog, DeleteDialog, EditDialog, EstimateDialog, IssueDialog } from './draft-dialogs.tsx'
import {
  affectedQueries,
  type InvoiceAction,
  type InvoiceUser,
  isUnissued,
  getOfferedActions,
} from './invoice-actions.ts'
import { InvoiceFigures, InvoiceParties, InvoiceRecord } from './invoice-head.tsx'
import { InvoiceLines } from './invoice-lines.tsx'
import { InvoiceNotices } from './invoice-notices.tsx'
import { CreditNotes, InvoiceMails, InvoicePayments } from './invoice-history.tsx'
import { MarkSentDialog, SendDialog } from './mail-dialogs.tsx'
import { OperatorCounts } from './operator-counts.tsx'
import { RecomputeDialog } from './recompute-dialog.tsx'

/** One invoice or credit note: its lines, its history, and the next step. */
export function InvoiceScreen() {
  const { t } = useTranslation()
  const { invoiceId = '' } = useParams({ strict: false }) as { invoiceId?: string }
  const { regionId } = useRegion()
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(invoiceId)
  const invoice = useEndpointQuery(
    getInvoice,
    { params: { region_id: regionId, invoice_id: invoiceId } },
    { staleTime: 0, enabled: isUuid },
  )
  if (!isUuid || invoice.error?.status === 404)
    return (
      <ReadingPage>
        <EmptyState order={1} title={t('billing:unknown.title')} action={<BackLink />}>
          {t('billing:unknown.text')}
        </EmptyState>
      </ReadingPage>
    )
  return (
    <ReadingPage>
      <BackLink />
      <Loaded query={invoice} dim={false}>
        {(data) => <InvoicePage key={data.invoice_id} invoice={data} />}
      </Loaded>
    </ReadingPage>
  )
}

function BackLink() {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  return (
    <Link
      className={styles['link']}
      to={pagePath(regionId, 'invoicing') as never}
      search={{ tab: 'invoices' } as never}
    >
      {t('billing:unknown.back')}
    </Link>
  )
}

/** The parts of an invoice, from its head to its history. */
function InvoicePage({ invoice }: { invoice: Invoice }) {
  const { t, i18n } = useTranslation()
  const me = useMe()
  const { getOperatorName } = usePayers()
  const user: InvoiceUser = { can: me.can, isOperator: me.user.operators !== null }
  return (
    <>
      <PageHeader
        title={invoiceName(t, invoice)}
        context={
          <span className={styles['marks']}>
            <StatusBadge status={invoice.status} />
            {invoice.kind === 'credit_note' ? (
              <Badge tone="neutral" text={t('billing:kind.credit_note')} />
            ) : null}
            {invoice.has_estimate ? <Badge tone="amber" text={t('billing:estimate')} /> : null}
            <span>
              {t('billing:head.context', {
                operator: getOperatorName(invoice.operator),
                period: formatPeriod(invoice, i18n.language),
              })}
            </span>
          </span>
        }
        actions={<InvoiceActions invoice={invoice} user={user} />}
      />
      <Stack gap="lg">
        <InvoiceNotices invoice={invoice} user={user} />
        <InvoiceFigures invoice={invoice} />
        <InvoiceParties invoice={invoice} isCity={!user.isOperator} />
        <Part title={t('billing:lines.title')}>
          <InvoiceLines invoice={invoice} user={user} />
        </Part>
        {invoice.disputes.length ? (
          <Part title={t('billing:disputes.list')}>
            <Disputes invoice={invoice} user={user} />
          </Part>
        ) : null}
        <OperatorCounts invoice={invoice} />
        {invoice.payments.length ? (
          <Part title={t('billing:tabs.payments')}>
            <InvoicePayments invoice={invoice} user={user} />
          </Part>
        ) : null}
        {invoice.credit_notes.length ? (
          <Part title={t('billing:head.creditNotes')}>
            <CreditNotes invoice={invoice} />
          </Part>
        ) : null}
        {invoice.mails.length ? (
          <Part title={t('billing:mails.title')}>
            <InvoiceMails invoice={invoice} user={user} />
          </Part>
        ) : null}
        {invoice.prepared || invoice.snapshot_sha256 ? (
          <Part title={t('billing:record.title')}>
            <InvoiceRecord invoice={invoice} />
          </Part>
        ) : null}
      </Stack>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  )
}

/** The next step as a button, downloads, and a menu of all other actions. */
function InvoiceActions({ invoice, user }: { invoice: Invoice; user: InvoiceUser }) {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const [openAction, setOpenAction] = useState<InvoiceAction | null>(null)
  const refresh = useEndpointMutation(refreshInvoice, affectedQueries)
  const params = { region_id: regionId, invoice_id: invoice.invoice_id }
  const today = useToday(timezone)
  const { next, others } = getOfferedActions(invoice, user, today)
  const startAction = (action: InvoiceAction): void => {
    if (action !== 'refresh') return setOpenAction(action)
    refresh.mutate({ params }, { onSuccess: () => showToast(t('billing:refreshed')) })
  }
  const close = (): void => setOpenAction(null)
  const fileName = invoice.number ?? `draft-${invoice.operator}-${invoice.start_date}`
  const getLabel = (action: InvoiceAction): string => t(`billing:action.${action}`)
  return (
    <>
      {refresh.error ? <FailedState error={refresh.error} title={t('billing:refreshFailed')} /> : null}
      {refresh.isPending ? <Text role="status">{t('billing:refreshing')}</Text> : null}
      <DownloadButton
        label={t('kit:download')}
        variant="default"
        formats={[
          {
            fileName: `${fileName}.pdf`,
            label: t('billing:file.pdf'),
            href: endpointUrl(getInvoicePdf, { params }),
          },
          {
            fileName: `${fileName}.xlsx`,
            label: t('billing:file.xlsx'),
            href: endpointUrl(getInvoiceLines, { params }),
          },
          ...(invoice.facts
            ? [
                {
                  fileName: `${fileName}-facts.csv`,
                  label: t('billing:file.facts'),
                  href: endpointUrl(getInvoiceFacts, { params }),
                },
                {
                  fileName: `${fileName}-facts.parquet`,
                  label: t('billing:file.parquet'),
                  href: endpointUrl(getInvoiceFactsParquet, { params }),
                },
              ]
            : []),
          ...(isUnissued(invoice)
            ? []
            : [
                {
                  fileName: `${fileName}.zip`,
                  label: t('billing:file.zip'),
                  href: endpointUrl(exportInvoice, { params }),
                },
              ]),
        ]}
      />
      {others.length ? (
        <ActionMenu
          target={
            <Button variant="default" leftSection={<IconDots size={18} aria-hidden="true" />}>
              {t('billing:action.more')}
            </Button>
          }
          actions={others.map((action) => ({
            key: action,
            label: getLabel(action),
            isDanger: action === 'delete',
            onSelect: () => startAction(action),
          }))}
        />
      ) : null}
      {next ? <Button onClick={() => startAction(next)}>{getLabel(next)}</Button> : null}
      {openAction === 'approve' ? <ApproveDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'issue' ? <IssueDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'confirmEstimate' ? <EstimateDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'edit' ? <EditDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'delete' ? <DeleteDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'send' ? <SendDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'markSent' ? <MarkSentDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'credit' ? <CreditDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'count' ? <CountDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'recompute' ? <RecomputeDialog invoice={invoice} onClose={close} /> : null}
      {openAction === 'pay' ? <PaymentDialog invoice={invoice} today={today} onClose={close} /> : null}
    </>
  )
}
