import DefaultTheme from 'vitepress/theme-without-fonts';
import type { Theme } from 'vitepress';
import { defineAsyncComponent } from 'vue';
import './style.css';

export default {
  extends: DefaultTheme,
  // Only pages of the reference load the console.
  enhanceApp({ app }) {
    app.component(
      'ApiKey',
      defineAsyncComponent(() => import('./ApiKey.vue')),
    );
    app.component(
      'TryIt',
      defineAsyncComponent(() => import('./TryIt.vue')),
    );
    app.component(
      'ServiceAddress',
      defineAsyncComponent(() => import('./ServiceAddress.vue')),
    );
  },
} satisfies Theme;
