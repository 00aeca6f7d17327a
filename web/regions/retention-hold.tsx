import { Button, Paper, Text, Textarea } from '@mantine/core'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getRetention, releaseRetentionHold, type Retention, setRetentionHold } from '#contract/retention.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Warning } from '#web/kit/warning.tsx'

interface Props {
  regionId: string
  name: string
  retention: Retention
  timezone: string
}

/** The legal hold of a region, with its reason and who set it, and the released holds. */
export function HoldPanel({ regionId, name, retention: { hold, holds }, timezone }: Props) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'set' | 'release' | null>(null)
  const close = () => setDialog(null)
  return (
    <section style={{ marginBottom: 'var(--mantine-spacing-xl)' }}>
      {hold ? (
        <>
          <Warning title={t('regions:retention.hold.on')}>
            <p>{hold.reason}</p>
            <p>
              {t('regions:retention.hold.by', {
                email: hold.set_by,
                time: formatDateTime(hold.set_time, timezone),
              })}
            </p>
          </Warning>
          <Button
            mt="sm"
            variant="default"
            leftSection={<IconLockOpen size={18} />}
            onClick={() => setDialog('release')}
          >
            {t('regions:retention.hold.release')}
          </Button>
        </>
      ) : (
        <Paper withBorder p="md">
          <Text size="sm" mb="sm">
            {t('regions:retention.hold.off')}
          </Text>
          <Button variant="default" leftSection={<IconLock size={18} />} onClick={() => setDialog('set')}>
            {t('regions:retention.hold.set')}
          </Button>
        </Paper>
      )}
      {holds.length ? (
        <details>
          <summary>{t('regions:retention.hold.past', { count: holds.length })}</summary>
          <ul>
            {holds.map((releasedHold) => (
              <li key={releasedHold.set_time}>
                {t('regions:retention.hold.pastOne', {
                  reason: releasedHold.reason,
                  by: releasedHold.set_by,
                  from: formatDateTime(releasedHold.set_time, timezone),
                  releasedBy: releasedHold.released_by ?? '',
                  until:
                    releasedHold.released_time === null
                      ? ''
                      : formatDateTime(releasedHold.released_time, timezone),
                })}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {dialog === 'set' ? <SetHoldDialog regionId={regionId} name={name} onClose={close} /> : null}
      {dialog === 'release' ? <ReleaseHoldDialog regionId={regionId} name={name} onClose={close} /> : null}
    </section>
  )
}

interface DialogProps {
  regionId: string
  name: string
  onClose: () => void
}

/** Sets a legal hold on a region, with its reason. */
function SetHoldDialog({ regionId, name, onClose }: DialogProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const setHold = useEndpointMutation(setRetentionHold, [getRetention])
  return (
    <FormDialog
      title={t('regions:retention.hold.title', { name })}
      action={t('regions:retention.hold.set')}
      isPending={setHold.isPending}
      isDisabled={reason.trim().length < 3}
      error={setHold.error}
      errorTitle={t('regions:retention.failed')}
      onSubmit={() =>
        setHold.mutate({ params: { region_id: regionId }, body: { reason } }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <Textarea
        label={t('regions:retention.hold.reason')}
        description={t('regions:retention.hold.reasonNote')}
        required
        autosize
        minRows={2}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

function ReleaseHoldDialog({ regionId, name, onClose }: DialogProps) {
  const { t } = useTranslation()
  const release = useEndpointMutation(releaseRetentionHold, [getRetention])
  return (
    <ConfirmDialog
      title={t('regions:retention.hold.releaseTitle', { name })}
      action={t('regions:retention.hold.release')}
      isPending={release.isPending}
      error={release.error}
      onConfirm={() => release.mutate({ params: { region_id: regionId } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('regions:retention.hold.releaseText')}
    </ConfirmDialog>
  )
}
