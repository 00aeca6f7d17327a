import { Anchor, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addDisputeFile,
  addDisputeMessage,
  type Dispute,
  type DisputeMessage,
  getDisputeFile,
  maxDisputeText,
} from '#contract/invoice-disputes.ts'
import type { Invoice } from '#contract/invoices.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatBytes, formatDateTime } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import { formatAmount } from '../amounts.ts'
import styles from '../billing.module.css'
import { invoiceAddress } from '../invoice-columns.tsx'
import { DisputeBadge } from '../status-badge.tsx'
import { EndDisputeDialog } from './dispute-dialog.tsx'
import { canReply, canDispute, affectedQueries, type InvoiceUser } from './invoice-actions.ts'

/** Disputed lines of an invoice, with messages and files. */
export function Disputes({ invoice, user }: { invoice: Invoice; user: InvoiceUser }) {
  return (
    <Stack gap="md">
      {invoice.disputes.map((dispute) => (
        <DisputeCard key={dispute.dispute_id} dispute={dispute} user={user} />
      ))}
    </Stack>
  )
}

/** One dispute: its state, messages and files, and a reply. */
function DisputeCard({ dispute, user }: { dispute: Dispute; user: InvoiceUser }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [end, setEnd] = useState<'accepted' | 'declined' | 'withdrawn' | null>(null)
  const { line, description, state, amount, currency, credit_note_id: creditNote } = dispute
  return (
    <section className={styles['card']} aria-label={t('billing:disputes.ofLine', { line })}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>
          {t('billing:disputes.ofLine', { line })}: {description}
        </Text>
        <DisputeBadge state={state} />
      </Group>
      <Text size="sm">
        {t('billing:disputes.inDispute', { amount: formatAmount(amount, currency) })}{' '}
        {creditNote && !user.isOperator ? (
          <Link className={styles['link']} to={invoiceAddress(regionId, creditNote) as never}>
            {t('billing:disputes.creditNote')}
          </Link>
        ) : null}
      </Text>
      <ul className={styles['thread']}>
        {dispute.messages.map((message) => (
          <Message key={message.message_id} dispute={dispute} message={message} />
        ))}
      </ul>
      {state === 'open' && canReply(user) ? (
        <>
          <ReplyForm dispute={dispute} />
          <Group gap="sm">
            {user.can('approve_invoices') ? (
              <>
                <Button size="xs" onClick={() => setEnd('accepted')}>
                  {t('billing:disputes.end.accepted.action')}
                </Button>
                <Button size="xs" variant="default" onClick={() => setEnd('declined')}>
                  {t('billing:disputes.end.declined.action')}
                </Button>
              </>
            ) : null}
            {canDispute(user) ? (
              <Button size="xs" variant="default" onClick={() => setEnd('withdrawn')}>
                {t('billing:disputes.end.withdrawn.action')}
              </Button>
            ) : null}
          </Group>
        </>
      ) : null}
      {end ? <EndDisputeDialog dispute={dispute} step={end} onClose={() => setEnd(null)} /> : null}
    </section>
  )
}

function Message({ dispute, message }: { dispute: Dispute; message: DisputeMessage }) {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const { invoice_id, dispute_id } = dispute
  const { at, by, is_operator: isOperator, step, text, file, message_id } = message
  return (
    <li>
      <span className={styles['sub']}>
        {t(`billing:disputes.step.${step}`)} ·{' '}
        {by || t(`billing:disputes.by.${isOperator ? 'operator' : 'city'}`)} · {formatDateTime(at, timezone)}
      </span>
      {text ? <p>{text}</p> : null}
      {file ? (
        <Anchor
          size="sm"
          href={endpointUrl(getDisputeFile, {
            params: { region_id: regionId, invoice_id, dispute_id, message_id },
          })}
          download={file.name}
        >
          {file.name} ({formatBytes(file.bytes)})
        </Anchor>
      ) : null}
    </li>
  )
}

/** Adds a message or a file to an open dispute. */
function ReplyForm({ dispute: { invoice_id, dispute_id } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [text, setText] = useState('')
  const sendMessage = useEndpointMutation(addDisputeMessage, affectedQueries)
  const attach = useEndpointMutation(addDisputeFile, affectedQueries)
  const params = { region_id: regionId, invoice_id, dispute_id }
  const error = sendMessage.error ?? attach.error
  return (
    <Stack gap="xs">
      <Textarea
        label={t('billing:disputes.message')}
        autosize
        minRows={2}
        maxLength={maxDisputeText}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          disabled={text.trim() === ''}
          loading={sendMessage.isPending}
          onClick={() => sendMessage.mutate({ params, body: { text } }, { onSuccess: () => setText('') })}
        >
          {t('billing:disputes.send')}
        </Button>
        <FileButton
          onChange={(file) => file && attach.mutate({ params, query: { file_name: file.name }, body: file })}
        >
          {(button) => (
            <Button
              {...button}
              size="xs"
              variant="default"
              loading={attach.isPending}
              leftSection={<IconPaperclip size={16} />}
            >
              {t('billing:disputes.attach')}
            </Button>
          )}
        </FileButton>
      </Group>
      {error ? <FailedState error={error} title={t('billing:disputes.sendFailed')} /> : null}
    </Stack>
  )
}
