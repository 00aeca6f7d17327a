import { Button, Tooltip, UnstyledButton } from '@mantine/core'
import { IconCalendarDue } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay, dayNumber, type LocalDay } from '#contract/period.ts'
import type { OrganizationSettings } from '#contract/settings.ts'
import { useFocusHandover } from '#web/kit/focus.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { useMe } from './me.tsx'
import styles from './top-bar.module.css'

/** A subscription: the remaining days after today, or expired. */
type Subscription = { state: 'left'; days: number } | { state: 'expired' }

/** Returns the state of a subscription; null unless both of its dates are set. */
export function getSubscription(
  { subscriptionStartDate, subscriptionEndDate }: Partial<OrganizationSettings>,
  today: LocalDay,
): Subscription | null {
  if (!subscriptionStartDate || !subscriptionEndDate) return null
  const days = dayNumber(subscriptionEndDate) - dayNumber(today)
  return days < 0 ? { state: 'expired' } : { state: 'left', days }
}

const expandedMs = 10_000
const browserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Shows the remaining days of the subscription: first as text, after ten seconds as an icon. */
export function SubscriptionNotice() {
  const { t } = useTranslation()
  const { organization } = useMe()
  const [today] = useState(() => localDay(new Date(), browserTimeZone()))
  const [isExpanded, setIsExpanded] = useState(true)
  const [isContacting, setIsContacting] = useState(false)
  const notice = useRef<HTMLDivElement>(null)
  const { passFocus, receiverRef } = useFocusHandover()
  const subscription = getSubscription(organization.settings, today)
  const isShown = subscription !== null
  useEffect(() => {
    // Does not collapse while the contact dialog is open, because the dialog returns the focus to its button.
    if (!isExpanded || !isShown || isContacting) return
    const timer = setTimeout(() => {
      passFocus(notice.current?.contains(document.activeElement) ?? false)
      setIsExpanded(false)
    }, expandedMs)
    return () => clearTimeout(timer)
  }, [isExpanded, isShown, isContacting, passFocus])
  const expand = () => {
    passFocus()
    setIsExpanded(true)
  }
  if (!subscription) return null
  const text =
    subscription.state === 'expired'
      ? t('shell:subscription.expired')
      : t('shell:subscription.left', { count: subscription.days })
  const isExpired = subscription.state === 'expired' || undefined
  return (
    <>
      {isExpanded ? (
        <div ref={notice} role="status" className={styles['notice']} data-over={isExpired}>
          <IconCalendarDue size={18} aria-hidden="true" className={styles['still'] ?? ''} />
          <span className={styles['text']}>{text}</span>
          <UnstyledButton
            ref={receiverRef}
            className={styles['link'] ?? ''}
            onClick={() => setIsContacting(true)}
          >
            {t('shell:subscription.renew')}
          </UnstyledButton>
        </div>
      ) : (
        <Tooltip label={text}>
          <Button
            ref={receiverRef}
            variant="transparent"
            className={styles['folded'] ?? ''}
            data-over={isExpired}
            aria-label={text}
            aria-expanded={false}
            onClick={expand}
          >
            <IconCalendarDue size={20} />
          </Button>
        </Tooltip>
      )}
      {isContacting ? (
        <ContactDialog
          subject={t('shell:contact.subjects.renew', { organization: organization.name })}
          message={t('shell:contact.messages.renew', {
            organization: organization.name,
            date: organization.settings.subscriptionEndDate,
          })}
          onClose={() => setIsContacting(false)}
        />
      ) : null}
    </>
  )
}
