import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../../lib/screen.ts'

/** The path uses `new` for a new prompt. */
export const screen: Screen = {
  path: '/prompts/$promptId',
  page: lazyRouteComponent(() => import('./prompt-page.tsx'), 'PromptPage'),
  gate: { rule: 'prompts-page:edit', plan: 'useOpenAi' },
}
