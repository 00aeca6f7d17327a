import { Button } from '@mantine/core'
import { IconDeviceMobile, IconMessage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { EnrolledFactor } from '#contract/identity.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { factorKinds } from '../enrollment/factor-chooser.tsx'
import type { ProfileView } from './profile-view.ts'
import styles from './profile.module.css'

interface Props {
  factors: readonly EnrolledFactor[]
  onShow: (view: ProfileView) => void
}

/** The second factors in the order of enrollment, with actions. */
export function FactorList({ factors, onShow }: Props) {
  const { t } = useTranslation()
  const missingKinds = factorKinds.filter((kind) => !factors.some((factor) => factor.kind === kind))
  return (
    <section className={styles['part']}>
      <h3 className={styles['title']}>{t('account:factors.title')}</h3>
      {factors.length === 0 ? (
        <p className={styles['quiet']}>{t('account:factors.none')}</p>
      ) : (
        <ul className={styles['factors']} aria-label={t('account:factors.title')}>
          {factors.map(({ id, kind, displayName, enrolledTime }) => (
            <li key={id} className={styles['factor']}>
              {kind === 'totp' ? (
                <IconDeviceMobile size={20} aria-hidden="true" />
              ) : (
                <IconMessage size={20} aria-hidden="true" />
              )}
              <div>
                <p className={styles['text']}>
                  {kind === 'totp'
                    ? t('account:kind.totp')
                    : t('account:factors.phone', { phone: displayName })}
                </p>
                <p className={styles['quiet']}>
                  {t('account:factors.since', { moment: formatDateTime(enrolledTime) })}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className={styles['buttons']}>
        {missingKinds.map((kind) => (
          <Button key={kind} variant="default" onClick={() => onShow({ name: 'add', kind })}>
            {t(`account:factors.addKind.${kind}`)}
          </Button>
        ))}
        {factors.length > 0 ? (
          <>
            <Button variant="default" onClick={() => onShow({ name: 'remove' })}>
              {t('account:factors.remove')}
            </Button>
            <Button variant="default" onClick={() => onShow({ name: 'codes' })}>
              {t('account:codes.renew')}
            </Button>
          </>
        ) : null}
      </div>
    </section>
  )
}
