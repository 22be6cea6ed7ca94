import pytest

pytest.register_assert_rewrite("medweave.testing.store_conformance")
