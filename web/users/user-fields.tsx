import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { getFieldIssues } from '#web/data/api-error.ts'
import { OperatorChoice } from './operator-choice.tsx'
import { RegionChoice } from './region-choice.tsx'
import { RoleChoice } from './role-choice.tsx'
import type { UserDraft } from './user-draft.ts'

interface Props {
  draft: UserDraft
  issues: ReturnType<typeof getFieldIssues>
  onChange: (changes: Partial<UserDraft>) => void
  /** Whether the name gets the initial focus. */
  isFirst?: boolean
  /** More fields below the roles, shown only for users of the city. */
  children?: ReactNode
}

/** Name, operators, roles and regions of a user. */
export function UserFields({ draft, issues, onChange, isFirst = false, children }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        data-autofocus={isFirst || undefined}
        label={t('users:field.name')}
        required
        maxLength={120}
        error={issues.get('name')}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <OperatorChoice
        value={draft.operators}
        error={issues.get('operators')}
        onChange={(operators) => onChange({ operators })}
      />
      {draft.operators ? null : (
        <>
          <RoleChoice
            value={draft.roleIds}
            error={issues.get('role_ids')}
            onChange={(roleIds) => onChange({ roleIds })}
          />
          {children}
        </>
      )}
      <RegionChoice
        value={draft.regionIds}
        error={issues.get('region_ids')}
        onChange={(regionIds) => onChange({ regionIds })}
      />
    </>
  )
}
