import { Button } from '@mantine/core'
import { IconChevronLeft, IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedPolicy } from '#contract/policies.ts'
import { offeredFields } from '#contract/policy-types/list.ts'
import { PolicyFields } from '#contract/policy.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { LimitFields } from '../limit-fields.tsx'
import { policyAddress } from '../policy-address.ts'
import { ruleWords } from '../rule-words.ts'
import { usePolicyDraft } from '../use-policy-draft.ts'
import { usePolicyTextContext } from '../use-policy-text-context.ts'
import { otherRevision } from './other-revision.ts'
import styles from './policy-test-screen.module.css'
import { PolicyTest } from './policy-test.tsx'

const limitFields = ['minimum', 'maximum', 'unit', 'allocation', 'vehicle_count_method']

/** A published policy applied to past days, with limits that any user may change without saving. */
export function PolicyTestScreen({ policy, onClose }: { policy: ListedPolicy; onClose: () => void }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const region = useRegion()
  const context = usePolicyTextContext()
  const at = useOpenedAt()
  const today = useToday(region.timezone)
  const [start] = useState(() => PolicyFields.parse(policy))
  const form = usePolicyDraft(start, region.currencyCode)
  const hasLimits = limitFields.some((field) => offeredFields(form.draft).has(field))
  const { regionId } = region
  return (
    <div className={styles['root']}>
      <div className={styles['side']}>
        <Link className={styles['back']} to={policyAddress(regionId, policy.constant_policy_uuid)}>
          <IconChevronLeft size={16} aria-hidden="true" />
          {t('compliance:try.back')}
        </Link>
        <h1 className={styles['title']}>{policy.policy_name}</h1>
        <ul className={styles['rule']}>
          {ruleWords(form.draft, context).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {hasLimits ? (
          <form
            className={styles['limits']}
            noValidate
            onSubmit={(event) => event.preventDefault()}
            aria-labelledby="limits"
          >
            <h2 id="limits" className={styles['heading']}>
              {t('compliance:try.limits')}
            </h2>
            <LimitFields {...form} />
          </form>
        ) : null}
        {can('edit_policy') ? (
          <Button
            variant="default"
            component={Link}
            to={policyAddress(regionId, policy.constant_policy_uuid, 'edit')}
            search={{ try: true } as never}
            leftSection={<IconPencil size={18} />}
          >
            {t('compliance:try.edit')}
          </Button>
        ) : null}
      </div>
      <PolicyTest
        region={region}
        policy={form.draft}
        picksShapes={false}
        other={otherRevision(policy, form.draft)}
        today={today}
        at={at}
        onLimitChange={form.change}
        operatorName={context.operatorName}
        onClose={onClose}
      />
    </div>
  )
}
