import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  deleteBillingLogo,
  getBillingLogo,
  getBillingSettings,
  maxLogoBytes,
  saveBillingLogo,
} from '#contract/billing-settings.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatFileLimit } from '../amounts.ts'
import styles from '../billing.module.css'

/** The logo on invoices, which is saved as soon as it is selected. */
export function LogoField({ hasLogo }: { hasLogo: boolean }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId }
  const save = useEndpointMutation(saveBillingLogo, [getBillingSettings])
  const remove = useEndpointMutation(deleteBillingLogo, [getBillingSettings])
  // A new logo has the same URL; a version in the query bypasses the cache.
  const [version, setVersion] = useState(0)
  const error = save.error ?? remove.error
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('billing:settings.logo.label')}
      </Text>
      {hasLogo ? (
        <Group gap="sm">
          <img
            className={styles['logo']}
            src={`${endpointUrl(getBillingLogo, { params })}?v=${version}`}
            alt={t('billing:settings.logo.alt')}
          />
          <Button
            variant="default"
            size="xs"
            loading={remove.isPending}
            onClick={() => remove.mutate({ params })}
          >
            {t('billing:settings.logo.remove')}
          </Button>
        </Group>
      ) : null}
      <FileDrop
        title={t(hasLogo ? 'billing:settings.logo.replace' : 'billing:settings.logo.add')}
        button={t('billing:settings.logo.choose')}
        accept=".png,.jpg,.jpeg"
        isDisabled={save.isPending}
        onFiles={([file]) =>
          file && save.mutate({ params, body: file }, { onSuccess: () => setVersion(version + 1) })
        }
      >
        {t('billing:settings.logo.text', { size: formatFileLimit(maxLogoBytes) })}
      </FileDrop>
      {error ? <FailedState error={error} title={t('billing:settings.logo.failed')} /> : null}
    </Stack>
  )
}
