import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from '../../lib/screen.ts'

export const screen: Screen = {
  path: '/prompts',
  page: lazyRouteComponent(() => import('./prompts-page.tsx'), 'PromptsPage'),
  gate: { rule: 'prompts-page:edit', plan: 'useOpenAi' },
}
