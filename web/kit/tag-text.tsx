import { Tooltip } from '@mantine/core'
import { truncateText, maxTagLength } from './truncate-text.ts'

interface Props {
  text: string
  maxLength?: number
  /** Can be reached by keyboard, for the whole text where nothing else says it. */
  isReachable?: boolean
}

/** The label of a tag: cut where it is long, whole in its tooltip and to screen readers. */
export function TagText({ text, maxLength = maxTagLength, isReachable = false }: Props) {
  const cut = truncateText(text, maxLength)
  if (cut === text) return <span>{text}</span>
  return (
    <Tooltip label={text}>
      <span tabIndex={isReachable ? 0 : undefined}>
        <span aria-hidden="true">{cut}</span>
        <span className="only-read">{text}</span>
      </span>
    </Tooltip>
  )
}
