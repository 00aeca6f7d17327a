import { Button, Code, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AlertSubscription } from '#contract/compliance-alerts.ts'
import { Warning } from '#web/kit/warning.tsx'
import { CopyField } from '#web/users/copy-field.tsx'
import styles from './alerts.module.css'
import { useTargetText } from './use-target-text.ts'

/** The secret of a webhook, this once, with what it is for. */
export function SecretShown({
  of,
  secret,
  onDone,
}: {
  of: AlertSubscription
  secret: string
  onDone: () => void
}) {
  const { t } = useTranslation()
  const name = useTargetText(of.region_id)(of)
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" className={styles['url'] ?? ''}>
        {name} · {of.url}
      </Text>
      <Warning title={t('compliance:alerts.secret.once')} />
      <CopyField label={t('compliance:alerts.secret.label')} value={secret} />
      <Text size="sm">{t('compliance:alerts.secret.how')}</Text>
      <Code block className={styles['code'] ?? ''}>
        {'Publicway-Signature: t=1774000000,v1=5f0c…\nv1 = HMAC-SHA256(secret, t + "." + body)'}
      </Code>
      <div className={styles['foot']}>
        <Button onClick={onDone}>{t('compliance:alerts.secret.done')}</Button>
      </div>
    </Stack>
  )
}
