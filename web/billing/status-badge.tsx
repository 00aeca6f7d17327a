import { useTranslation } from 'react-i18next'
import type { DisputeState } from '#contract/invoice-disputes.ts'
import type { InvoiceMail, InvoiceStatus } from '#contract/invoices.ts'
import { Badge, type Tone } from '#web/kit/badge.tsx'

const tones: Record<InvoiceStatus, Tone> = {
  draft: 'neutral',
  approved: 'teal',
  issued: 'teal',
  sent: 'teal',
  partly_paid: 'amber',
  paid: 'green',
  overdue: 'red',
  disputed: 'amber',
  credited: 'neutral',
}
const disputeTones: Record<DisputeState, Tone> = {
  open: 'amber',
  accepted: 'green',
  declined: 'red',
  withdrawn: 'neutral',
}
const mailTones: Record<InvoiceMail['state'], Tone> = {
  waiting: 'amber',
  sent: 'green',
  failed: 'red',
  bounced: 'red',
}

export function StatusBadge({ status }: { status: InvoiceStatus }) {
  const { t } = useTranslation()
  return <Badge tone={tones[status]} text={t(`billing:status.${status}`)} />
}

export function DisputeBadge({ state }: { state: DisputeState }) {
  const { t } = useTranslation()
  return <Badge tone={disputeTones[state]} text={t(`billing:disputes.state.${state}`)} />
}

export function MailBadge({ state }: { state: InvoiceMail['state'] }) {
  const { t } = useTranslation()
  return <Badge tone={mailTones[state]} text={t(`billing:mails.state.${state}`)} />
}
